import { afterEach, describe, expect, test } from 'vitest';
import { createKubernetesClient } from '../../shared/kubernetes/client.ts';
import type { CustomObject } from '../../shared/kubernetes/kubernetes-object.ts';
import { openRecord, recordAnnotation } from '../../shared/kubernetes/operation-record.ts';
import { type ScriptedAnswer, startScriptedServer } from '../../shared/kubernetes/testing/scripted-server.ts';
import { autoscalerFacts } from '../../shared/render/addons/cluster-autoscaler/autoscaler-facts.ts';
import { autoscalerDeployment } from '../../shared/render/addons/cluster-autoscaler/deployment.ts';
import { repairAutoscaler } from './autoscaler.ts';

const path = '/apis/apps/v1/namespaces/magnum-system/deployments/kube-abcde-autoscaler';
const read = `GET ${path}`;
const apply = `PATCH ${path}?fieldManager=magnum-capi-functions&fieldValidation=Strict&force=true`;

const limits = { 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size': '1' };
const autoscaled = cluster([{ name: 'a' }, { name: 'b', metadata: { annotations: limits } }]);
const fixed = cluster([{ name: 'a', replicas: 1 }]);

function cluster(machineDeployments: unknown, metadata: object = {}): CustomObject {
  const record = openRecord({ id: 'e', time: '2026-11-29T10:00:00Z' }, 'cluster.create', 60);
  const annotations = { [recordAnnotation(null)]: JSON.stringify(record) };
  return {
    metadata: { name: 'kube-abcde', namespace: 'magnum-system', uid: 'u1', annotations, ...metadata },
    spec: { topology: { classRef: { name: 'c' }, version: 'v1.33.4', workers: { machineDeployments } } },
  };
}

/** As the API server keeps it, with what it fills in; `changes` of the spec come from somebody else. */
function stored(spec: object = {}, labels: object = {}): ScriptedAnswer {
  const facts = autoscalerFacts(autoscaled);
  if (facts === null) throw new Error('The Cluster is whole.');
  const rendered = autoscalerDeployment(facts);
  const metadata = { ...rendered.metadata, uid: 'd1', resourceVersion: '7', generation: 3 };
  return {
    status: 200,
    body: {
      ...rendered,
      metadata: { ...metadata, labels: { ...rendered.metadata?.labels, ...labels } },
      spec: { ...rendered.spec, progressDeadlineSeconds: 600, ...spec },
      status: { replicas: 1 },
    },
  };
}

const missing: ScriptedAnswer = {
  status: 404,
  body: { kind: 'Status', reason: 'NotFound', message: 'not found', details: { kind: 'deployments' } },
};
const anothers = { 'app.kubernetes.io/managed-by': 'Helm' };

let close: (() => Promise<void>) | undefined;
afterEach(() => close?.());

/** The calls of one repair, each `METHOD path`, to a server that gives these answers. */
async function callsOf(live: CustomObject | null, answers: readonly ScriptedAnswer[], deployments?: readonly string[]) {
  const server = await startScriptedServer({ answers });
  const kubernetes = createKubernetesClient({ server: server.url });
  close = async () => {
    kubernetes.close();
    await server.close();
  };
  await repairAutoscaler(deployments ? { kubernetes, deployments: new Set(deployments) } : { kubernetes }, live);
  return server.requests.map(({ method, path: asked }) => `${method} ${asked}`);
}

describe('a cluster with an autoscaled nodegroup', () => {
  test('whose Deployment is as it should be costs one read', async () => {
    expect(await callsOf(autoscaled, [stored()])).toEqual([read]);
  });

  test.each<[string, ScriptedAnswer]>([
    ['is missing', missing],
    ['was scaled to 0 by hand', stored({ replicas: 0 })],
    ['has pods of another kind', stored({ template: { spec: { containers: [{ name: 'x', image: 'y' }] } } })],
  ])('whose Deployment %s gets it written', async (_what, answer) => {
    expect(await callsOf(autoscaled, [answer])).toEqual([read, apply]);
  });

  test('that was created anew owns its Deployment again', async () => {
    const anew = cluster([{ metadata: { annotations: limits } }], { uid: 'u2' });
    expect(await callsOf(anew, [stored()])).toEqual([read, apply]);
  });

  test('is left to another driver as long as this one has never worked on it', async () => {
    const anothersCluster = cluster([{ metadata: { annotations: limits } }], { annotations: {} });
    expect(await callsOf(anothersCluster, [missing])).toEqual([]);
  });

  test('keeps the Deployment of another driver as it is', async () => {
    expect(await callsOf(autoscaled, [stored({ replicas: 0 }, anothers)])).toEqual([read]);
  });
});

describe('a cluster without autoscaled nodegroups', () => {
  test('loses its Deployment, and no other of the name', async () => {
    const server = await startScriptedServer({ answers: [stored()] });
    const kubernetes = createKubernetesClient({ server: server.url });
    close = async () => {
      kubernetes.close();
      await server.close();
    };
    await repairAutoscaler({ kubernetes }, fixed);
    expect(server.requests.map(({ method, path: asked }) => `${method} ${asked}`)).toEqual([read, `DELETE ${path}`]);
    expect(JSON.parse(server.requests[1]?.body ?? '')).toMatchObject({ preconditions: { uid: 'd1' } });
  });

  test.each<[string, ScriptedAnswer]>([
    ['is gone by then', missing],
    ['has become another object', { status: 409, body: { kind: 'Status', reason: 'Conflict', message: 'uid' } }],
  ])('is content when the Deployment %s', async (_what, answer) => {
    expect(await callsOf(fixed, [stored(), answer])).toEqual([read, `DELETE ${path}`]);
  });

  test.each<[string, ScriptedAnswer]>([
    ['there is none', missing],
    ['it is of another driver', stored({}, anothers)],
  ])('deletes nothing where %s', async (_what, answer) => {
    expect(await callsOf(fixed, [answer])).toEqual([read]);
  });

  test('costs no call where the list shows none', async () => {
    expect(await callsOf(fixed, [], ['kube-other-autoscaler'])).toEqual([]);
    await close?.();
    expect(await callsOf(fixed, [stored()], ['kube-abcde-autoscaler'])).toEqual([read, `DELETE ${path}`]);
  });
});

test.each<[string, CustomObject | null]>([
  ['is gone', null],
  ['is being deleted', cluster([{ metadata: { annotations: limits } }], { deletionTimestamp: '2026-01-01T00:00:00Z' })],
  ['is not whole', { metadata: { name: 'kube-abcde' } }],
  ['has nodegroups that nobody can read', cluster('many')],
])('nothing is done for a Cluster that %s', async (_what, live) => {
  expect(await callsOf(live, [])).toEqual([]);
});

test('a refusal of the API server is thrown', async () => {
  const refused = { status: 403, body: { kind: 'Status', reason: 'Forbidden', message: 'not allowed' } };
  await expect(callsOf(autoscaled, [missing, refused])).rejects.toThrow('not allowed');
});
