import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoSession } from '../../test/cloud/openstack/demo-session.ts';
import { type SimulatedOpenStack, startSimulatedOpenStack } from '../../test/cloud/openstack/simulated-openstack.ts';
import { listFlavors } from './compute.ts';

let cloud: SimulatedOpenStack;

beforeAll(async () => {
  cloud = await startSimulatedOpenStack({ https: true });
});

afterAll(() => cloud.stop());

test('The private certificate authority that is given is trusted', async () => {
  const session = demoSession(cloud);
  expect(await listFlavors(session)).toHaveLength(4);
  session.close();
});

test('An unknown certificate authority is refused at once, in words that say so', async () => {
  const session = demoSession(cloud, { caCertificate: undefined });
  const error = await session.authentication().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'UnavailableError', retryable: false });
  expect(String(error)).toMatch(/OpenStack identity could not be used: its certificate is not trusted \(.+\)\.$/);
  expect(cloud.requests.filter(({ service }) => service === 'identity')).toHaveLength(1);
  session.close();
});

test('A certificate for another host is refused', async () => {
  const authUrl = cloud.authUrl.replace('127.0.0.1', 'localhost');
  const session = demoSession(cloud, { auth: { kind: 'token', authUrl, token: 'abc' } });
  await expect(session.authentication()).rejects.toThrow('its certificate is not trusted');
  session.close();
});

test('A bundle that is no PEM trusts nothing, and is no crash', async () => {
  const session = demoSession(cloud, { caCertificate: 'not a certificate' });
  const error = await session.authentication().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'UnavailableError', retryable: false });
  session.close();
});

test('With insecure any certificate is accepted', async () => {
  const session = demoSession(cloud, { caCertificate: undefined, insecure: true });
  expect(await listFlavors(session)).toHaveLength(4);
  session.close();
});
