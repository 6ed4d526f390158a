import { afterEach, expect, test } from 'vitest';
import { managedByLabel } from '../render/metadata.ts';
import { autoscalerNames, takeOverAutoscaler, writeAutoscalerOptions } from './autoscaler.ts';
import { createKubernetesClient } from './client.ts';
import { parseLiveCluster } from './live-cluster.ts';
import { type ScriptedServer, startScriptedServer } from './testing/scripted-server.ts';

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

test("the driver's Deployments are listed by its label", async () => {
  const names = ['kube-abcde-autoscaler', 'kube-fghij-autoscaler'];
  const items = names.map((name) => ({ metadata: { name, uid: name } }));
  server = await startScriptedServer({ answers: [{ status: 200, body: { metadata: {}, items } }] });
  const client = createKubernetesClient({ server: server.url });
  expect([...(await autoscalerNames(client))]).toEqual(names);
  const [{ path = '' } = {}] = server.requests;
  expect(decodeURIComponent(path)).toContain('labelSelector=app.kubernetes.io/managed-by=magnum-capi-functions');
  client.close();
});

test.each([
  ["in place of another driver's", { 'app.kubernetes.io/managed-by': 'Helm' }, ['GET', 'DELETE', 'PATCH']],
  ['over its own', managedByLabel, ['GET', 'PATCH']],
])('an upgrade writes the Deployment %s', async (_where, labels, methods) => {
  const live = { metadata: { name: 'kube-abcde-autoscaler', uid: 'd1', labels } };
  server = await startScriptedServer({ answers: [{ status: 200, body: live }] });
  const client = createKubernetesClient({ server: server.url });
  await takeOverAutoscaler(client, {
    stackId: 'kube-abcde',
    clusterUid: 'u1',
    release: { tag: 'v1.33.5', enforcesMinimum: true, readsV1beta2: true },
    imageRepository: 'registry.k8s.io/autoscaling',
    nodeSelector: {},
    isAutoscaled: true,
  });
  expect(server.requests.map(({ method }) => method)).toEqual(methods);
  if (methods.includes('DELETE')) expect(server.requests[1]?.body).toContain('"uid":"d1"');
  client.close();
});

const key = 'magnum.openstack.org/autoscaler-image-repository';
const path = '/metadata/annotations/magnum.openstack.org~1autoscaler-image-repository';

test.each([
  ['registry.example.org/a', {}, [{ op: 'add', path, value: 'registry.example.org/a' }]],
  ['registry.example.org/a', { [key]: 'x' }, [{ op: 'add', path, value: 'registry.example.org/a' }]],
  ['registry.example.org/a/', { [key]: 'registry.example.org/a' }, []],
  ['', {}, [{ op: 'add', path, value: 'registry.k8s.io/autoscaling' }]],
])('the image repository %j on a Cluster with %j is written as %j', (repository, annotations, operations) => {
  const metadata = { name: 'kube-abcde', uid: 'u', resourceVersion: '1', annotations };
  const cluster = parseLiveCluster({ metadata, spec: { topology: { classRef: { name: 'c' }, version: 'v1.33.4' } } });
  expect(writeAutoscalerOptions(cluster, { image_repository: repository, node_selector: '' })).toEqual(operations);
});

const selectorKey = 'magnum.openstack.org/autoscaler-node-selector';
const selectorPath = '/metadata/annotations/magnum.openstack.org~1autoscaler-node-selector';

test.each([
  ['pool=infra', {}, [{ op: 'add', path: selectorPath, value: 'pool=infra' }]],
  ['zone=a, pool=infra', { [selectorKey]: 'pool=infra,zone=a' }, []],
  ['', { [selectorKey]: 'pool=infra' }, [{ op: 'remove', path: selectorPath }]],
  ['unreadable', { [selectorKey]: 'pool=infra' }, []],
])('the node selector %j on a Cluster with %j is written as %j', (node_selector, recorded, operations) => {
  const annotations = { [key]: 'registry.k8s.io/autoscaling', ...recorded };
  const metadata = { name: 'kube-abcde', uid: 'u', resourceVersion: '1', annotations };
  const cluster = parseLiveCluster({ metadata, spec: { topology: { classRef: { name: 'c' }, version: 'v1.33.4' } } });
  expect(writeAutoscalerOptions(cluster, { image_repository: '', node_selector })).toEqual(operations);
});
