import { dump } from 'js-yaml';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cloudConfigHashAnnotation, type MountingWorkload } from '../render/addons/cloud-conf/mounting-workload.ts';
import { createKubernetesClient, type KubernetesClient } from './client.ts';
import { type ScriptedAnswer, type ScriptedServer, startScriptedServer } from './testing/scripted-server.ts';
import { readRollout } from './workload-rollout.ts';

const hash = 'f00';
const workload: MountingWorkload = { kind: 'DaemonSet', namespace: 'kube-system', name: 'x', hash };

let servers: ScriptedServer[];
let client: KubernetesClient | undefined;
beforeEach(() => {
  servers = [];
});
afterEach(async () => {
  client?.close();
  for (const server of servers) await server.close();
});

async function serverWith(...answers: ScriptedAnswer[]): Promise<ScriptedServer> {
  const server = await startScriptedServer({ answers });
  servers.push(server);
  return server;
}

/** What is known of workloads when the cluster's API gives these answers. */
async function rolloutOf(answers: ScriptedAnswer[], workloads: readonly MountingWorkload[] = [workload]) {
  const api = await serverWith(...answers);
  return rolloutBy(kubeconfigOf(api.url), workloads);
}

async function rolloutBy(kubeconfig: string, workloads: readonly MountingWorkload[] = [workload]) {
  const secret = { metadata: {}, data: { value: base64(kubeconfig) } };
  const management = await serverWith({ status: 200, body: secret });
  client = createKubernetesClient({ server: management.url });
  return readRollout(client, { stackId: 'kube-abcde', workloads, hash });
}

function kubeconfigOf(server: string): string {
  const user = { 'client-certificate-data': base64('certificate'), 'client-key-data': base64('key') };
  const cluster = { server, 'certificate-authority-data': base64('authority') };
  return dump({ clusters: [{ name: 'a', cluster }], users: [{ name: 'a', user }] });
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function object(status: object, changes: { readonly replicas?: number; readonly hash?: string } = {}): ScriptedAnswer {
  const annotations = { [cloudConfigHashAnnotation]: changes.hash ?? hash };
  const spec = { replicas: changes.replicas, template: { metadata: { annotations } } };
  return { status: 200, body: { metadata: { generation: 2 }, spec, status: { observedGeneration: 2, ...status } } };
}

const allDaemons = { desiredNumberScheduled: 3, updatedNumberScheduled: 3 };

describe('a DaemonSet', () => {
  test.each<[string, ScriptedAnswer, string]>([
    ['is done with all its pods new', object(allDaemons), 'done'],
    ['is done where no node wants it', object({ desiredNumberScheduled: 0 }), 'done'],
    [
      'is done where somebody deleted it',
      { status: 404, body: { kind: 'Status', details: { kind: 'daemonsets' } } },
      'done',
    ],
    ['goes on with an old pod', object({ ...allDaemons, updatedNumberScheduled: 2 }), 'going on'],
    ['goes on before its controller has seen it', object({ ...allDaemons, observedGeneration: 1 }), 'going on'],
    ['goes on before it has the new template', object(allDaemons, { hash: 'old' }), 'going on'],
    ['goes on without a status', object({ observedGeneration: undefined }), 'going on'],
  ])('%s', async (_title, answer, kind) => {
    expect(await rolloutOf([answer])).toMatchObject({ kind });
  });
});

describe.each(['Deployment', 'StatefulSet'] as const)('a %s', (kind) => {
  test.each<[string, ScriptedAnswer, string]>([
    ['is done with all its pods new', object({ replicas: 2, updatedReplicas: 2 }, { replicas: 2 }), 'done'],
    ['is done where it has none', object({}, { replicas: 0 }), 'done'],
    [
      'goes on with an old pod beside the new ones',
      object({ replicas: 3, updatedReplicas: 2 }, { replicas: 2 }),
      'going on',
    ],
    ['goes on with too few new ones', object({ replicas: 1, updatedReplicas: 1 }, { replicas: 2 }), 'going on'],
  ])('%s', async (_title, answer, wanted) => {
    expect(await rolloutOf([answer], [{ ...workload, kind }])).toMatchObject({ kind: wanted });
  });
});

test('the first that goes on is named, and the others are not asked for', async () => {
  const workloads = ['one', 'two', 'three'].map((name) => ({ ...workload, name }));
  const answers = [object(allDaemons), object({ ...allDaemons, updatedNumberScheduled: 0 })];
  expect(await rolloutOf(answers, workloads)).toEqual({
    kind: 'going on',
    told: 'DaemonSet two of the cluster has not restarted all its pods yet.',
  });
  expect(servers[0]?.requests.map(({ path }) => path)).toEqual([
    '/apis/apps/v1/namespaces/kube-system/daemonsets/one',
    '/apis/apps/v1/namespaces/kube-system/daemonsets/two',
  ]);
});

describe('nothing is known', () => {
  const told = expect.stringMatching(/^The cluster cannot be asked whether .+[.]$/);

  test('of an API that refuses', async () => {
    expect(await rolloutOf([{ status: 403, body: { kind: 'Status' } }])).toEqual({ kind: 'unknown', told });
  });

  test('of an API that is out of reach', async () => {
    const gone = await startScriptedServer();
    await gone.close();
    expect(await rolloutBy(kubeconfigOf(gone.url))).toEqual({ kind: 'unknown', told });
  });

  test.each(['', 'a: [', 'clusters: []', 'clusters: [{cluster: {server: "https://x"}}]'])(
    'by the kubeconfig %j, of which nothing is told',
    async (kubeconfig) => {
      expect(await rolloutBy(kubeconfig)).toEqual({
        kind: 'unknown',
        told: expect.stringContaining('kube-abcde-kubeconfig'),
      });
    },
  );
});

test('nobody is asked where there are no workloads', async () => {
  expect(await rolloutBy('', [])).toEqual({ kind: 'done' });
  expect(servers.flatMap(({ requests }) => requests)).toEqual([]);
});
