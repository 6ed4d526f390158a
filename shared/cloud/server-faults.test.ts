import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { demoAccess, demoCredential } from '../../test/cloud/openstack/demo-session.ts';
import { type SimulatedOpenStack, startSimulatedOpenStack } from '../../test/cloud/openstack/simulated-openstack.ts';
import { cloudConfigSecret } from '../render/cloud-config.ts';
import { createServerFaultReader } from './server-faults.ts';

const noHost = 'No valid host was found. There are not enough hosts available.';
const time = Date.parse('2026-01-01T00:00:00Z');
const at = (milliseconds: number) => new Date(time + milliseconds);

let cloud: SimulatedOpenStack;
beforeAll(async () => {
  cloud = await startSimulatedOpenStack();
  const projectId = cloud.state.projects.find(({ name }) => name === 'demo')?.id ?? '';
  const server = { projectId, status: 'ERROR', addresses: {} };
  const fault = { code: 500, message: noHost, created: '2026-01-01T00:00:00Z' };
  cloud.state.servers.push(
    { ...server, id: 'i-1', name: 'kube-abcde-w-1', fault },
    { ...server, id: 'i-2', name: 'kube-abcde-w-2', fault: null },
  );
});
afterEach(() => {
  cloud.faults.clear();
  cloud.requests.length = 0;
});
afterAll(() => cloud.stop());

function secret(changes: { readonly secret?: string } = {}) {
  const credential = { ...demoCredential(cloud), ...changes };
  return cloudConfigSecret({
    stackId: 'kube-abcde',
    credential: demoAccess(cloud, credential),
    record: { uuid: 'u', projectId: 'p', userId: 'u', serverGroups: {} },
  });
}

const both = [
  { name: 'kube-abcde-w-1', id: 'i-1' },
  { name: 'kube-abcde-w-2', id: 'i-2' },
];

describe('the faults of servers', () => {
  test("are Nova's words by the server's name, read with the cluster's own credential", async () => {
    const faults = await createServerFaultReader().read({ secret: async () => secret(), servers: both, now: at(0) });
    expect(faults).toEqual({ 'kube-abcde-w-1': noHost });
  });

  test('are asked for once; a server without one again after a while', async () => {
    const reader = createServerFaultReader();
    const asked = async (milliseconds: number) => {
      cloud.requests.length = 0;
      const found = await reader.read({ secret: async () => secret(), servers: both, now: at(milliseconds) });
      expect(found).toEqual({ 'kube-abcde-w-1': noHost });
      return cloud.requests.map(({ path }) => path).filter((path) => path.includes('/servers/')).length;
    };
    expect(await asked(0)).toBe(2);
    expect(await asked(29_000)).toBe(0);
    expect(await asked(31_000)).toBe(1);
  });

  test.each<[string, () => Parameters<ReturnType<typeof createServerFaultReader>['read']>[0]]>([
    [
      'the credential is revoked',
      () => ({ secret: async () => secret({ secret: 'another' }), servers: both, now: at(0) }),
    ],
    [
      'the Secret holds no cloud',
      () => ({ secret: async () => ({ ...secret(), data: {} }), servers: both, now: at(0) }),
    ],
    ['there is no Secret', () => ({ secret: async () => null, servers: both, now: at(0) })],
    [
      'the servers are gone',
      () => ({ secret: async () => secret(), servers: [{ name: 'x', id: 'gone' }], now: at(0) }),
    ],
  ])('are missing where %s, and nothing is thrown', async (_what, options) => {
    expect(await createServerFaultReader().read(options())).toEqual({});
  });

  test('are missing where the cloud does not answer in time, and it is left alone for a while', async () => {
    cloud.faults.inject({ service: 'identity', delayMs: 60_000, times: 10 });
    const reader = createServerFaultReader({ timeLimitMs: 50 });
    expect(await reader.read({ secret: async () => secret(), servers: both, now: at(0) })).toEqual({});
    cloud.faults.clear();
    expect(await reader.read({ secret: async () => secret(), servers: both, now: at(1_000) })).toEqual({});
    expect(cloud.requests.filter(({ path }) => path.includes('/servers/'))).toEqual([]);
    expect(
      await createServerFaultReader().read({ secret: async () => secret(), servers: both, now: at(0) }),
    ).not.toEqual({});
  });

  test('count their requests', async () => {
    let requests = 0;
    const count = () => {
      requests += 1;
    };
    await createServerFaultReader().read({ secret: async () => secret(), servers: both, now: at(0), onRequest: count });
    expect(requests).toBe(cloud.requests.length);
    expect(requests).toBeGreaterThan(2);
  });
});
