import { afterEach, describe, expect, test } from 'vitest';
import { createKubernetesClient } from './client.ts';
import { installAutoscaler, upgradeAutoscaler } from './install-autoscaler.ts';
import { parseLiveCluster } from './live-cluster.ts';
import { instantClock } from './testing/instant-clock.ts';
import { type ScriptedAnswer, type ScriptedServer, startScriptedServer } from './testing/scripted-server.ts';

const limits = { 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size': '1' };

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

async function install(answers: readonly ScriptedAnswer[], annotations: object = limits, write = installAutoscaler) {
  server = await startScriptedServer({ answers });
  const kubernetes = createKubernetesClient({ server: server.url }, { clock: instantClock() });
  const workers = { machineDeployments: [{ name: 'a', metadata: { annotations } }] };
  const cluster = parseLiveCluster({
    metadata: { name: 'kube-abcde', uid: 'u', resourceVersion: '1' },
    spec: { topology: { classRef: { name: 'c' }, version: 'v1.33.4', workers } },
  });
  try {
    return await write(kubernetes, cluster);
  } finally {
    kubernetes.close();
  }
}

const missing = {
  status: 404,
  body: { kind: 'Status', reason: 'NotFound', message: 'not found', details: { kind: 'deployments' } },
};

function refusal(status: number): ScriptedAnswer {
  return { status, body: { kind: 'Status', message: 'the policy says no' } };
}

describe('the autoscaler', () => {
  test('is written once the Cluster is there', async () => {
    expect(await install([missing])).toEqual([]);
    expect(server?.requests.map(({ method }) => method)).toEqual(['GET', 'PATCH']);
  });

  test('costs no call where no nodegroup is autoscaled', async () => {
    expect(await install([], {})).toEqual([]);
    expect(server?.requests).toEqual([]);
  });

  test.each([403, 422])(
    'that is refused with %d becomes a note, since the operation itself is recorded',
    async (status) => {
      const [note] = await install([missing, refusal(status)]);
      expect(note).toMatch(/^The cluster autoscaler is not installed yet: .*the policy says no/);
    },
  );

  test.each<[string, ScriptedAnswer]>([
    ['is overloaded', refusal(503)],
    ['does not know the token any more', refusal(401)],
  ])('has the event sent again where the API server %s', async (_what, answer) => {
    await expect(install([missing, ...Array<ScriptedAnswer>(10).fill(answer)])).rejects.toMatchObject({ status: 503 });
  });
});

describe("another driver's autoscaler", () => {
  const theirs = { status: 200, body: { metadata: { name: 'kube-abcde-autoscaler', uid: 'x' } } };

  test('stays where one is installed', async () => {
    expect(await install([theirs])).toEqual([]);
    expect(server?.requests.map(({ method }) => method)).toEqual(['GET']);
  });

  test('is replaced by an upgrade', async () => {
    expect(await install([theirs], limits, upgradeAutoscaler)).toEqual([]);
    expect(server?.requests.map(({ method }) => method)).toEqual(['GET', 'DELETE', 'PATCH']);
  });

  test('that may not be replaced becomes a note', async () => {
    const [note] = await install([theirs, refusal(403)], limits, upgradeAutoscaler);
    expect(note).toContain('the policy says no');
  });
});
