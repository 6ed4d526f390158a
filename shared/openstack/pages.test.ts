import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoSession } from '../../test/cloud/openstack/demo-session.ts';
import { type SimulatedOpenStack, startSimulatedOpenStack } from '../../test/cloud/openstack/simulated-openstack.ts';
import { listFlavors } from './compute.ts';
import { ProtocolError } from './errors.ts';

let cloud: SimulatedOpenStack;

beforeAll(async () => {
  cloud = await startSimulatedOpenStack({ pageLimit: 2 });
});

afterAll(() => cloud.stop());

test('A list is read to its last page, also where that is full or empty', async () => {
  const session = demoSession(cloud);
  const [flavor] = cloud.state.flavors;
  for (const count of [0, 1, 2, 3, 4, 9]) {
    cloud.state.flavors = Array.from({ length: count }, (_, index) => ({ ...flavor!, id: `id-${index}` }));
    expect(await listFlavors(session)).toHaveLength(count);
  }
  session.close();
});

test('A link to another host is followed on the own one, so that the token stays there', async () => {
  const session = demoSession(cloud);
  const links = [{ rel: 'next', href: 'http://203.0.113.1:1/elsewhere?is_public=None&marker=id-1' }];
  const rawBody = JSON.stringify({ flavors: [], flavors_links: links });
  cloud.faults.inject({ service: 'compute', status: 200, rawBody });
  expect((await listFlavors(session)).at(0)?.id).toBe('id-2');
  session.close();
});

test('Links in a circle are a protocol error', async () => {
  const session = demoSession(cloud);
  const rawBody = JSON.stringify({ flavors: [], flavors_links: [{ rel: 'next', href: '/flavors?marker=1' }] });
  cloud.faults.inject({ service: 'compute', status: 200, rawBody, times: Number.POSITIVE_INFINITY });
  cloud.requests.length = 0;
  await expect(listFlavors(session)).rejects.toThrow(ProtocolError);
  expect(cloud.requests.filter(({ service }) => service === 'compute')).toHaveLength(2);
  cloud.faults.clear();
  session.close();
});
