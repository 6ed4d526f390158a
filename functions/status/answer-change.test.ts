import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managedByLabel } from '../../shared/render/metadata.ts';
import { openCreate } from './testing/sample-cluster.ts';
import { type StatusStage, startStatusStage } from './testing/status-stage.ts';

const stackId = 'kube-abcde';
const name = `${stackId}-autoscaler`;
const uuid = 'a3f0b1c2-0000-4000-8000-000000000001';

let stage: StatusStage;
beforeEach(async () => {
  stage = await startStatusStage();
});
afterEach(() => stage.stop());

const change = (kind: string, changed: string) => ({
  type: 'dev.knative.apiserver.ref.update',
  data: { apiVersion: 'apps/v1', kind, name: changed, namespace: 'magnum-system' },
});

const putDeployment = () => stage.store.put(resources.deployment, { metadata: { name, labels: managedByLabel } });

describe('a change of what is applied of the add-ons', () => {
  const applied = (isApplied: boolean) => {
    const bound = { kind: 'Secret', name: `${stackId}-calico`, applied: isApplied };
    const bindings = [{ clusterResourceSetName: `${stackId}-addons`, resources: [bound] }];
    stage.store.put(resources.clusterResourceSetBinding, { metadata: { name: stackId }, spec: { bindings } });
  };

  test('is reported, and ends a create that waits for them', async () => {
    stage.putCluster({ stackId, uuid, annotations: openCreate(), isReady: true });
    const spec = { resources: [{ kind: 'Secret', name: `${stackId}-calico` }] };
    stage.store.put(resources.clusterResourceSet, { metadata: { name: `${stackId}-addons` }, spec });
    applied(false);
    const status_reason = 'The add-ons of the cluster are not applied: calico missing.';
    const { reply } = await stage.handle(change('ClusterResourceSetBinding', stackId));
    expect(reply?.data).toMatchObject({ state: 'IN_PROGRESS', status_reason });
    applied(true);
    const { reply: last } = await stage.handle(change('ClusterResourceSetBinding', stackId));
    expect(last?.data).toMatchObject({ action: 'CREATE', state: 'COMPLETE' });
  });
});

describe("a change of an autoscaler's Deployment", () => {
  test('has it repaired, and says nothing of the cluster', async () => {
    stage.putCluster({ stackId, uuid, annotations: openCreate(), isReady: false });
    putDeployment();
    expect(await stage.handle(change('Deployment', name))).toEqual({ reply: undefined, calls: 3 });
    expect(stage.store.find(resources.deployment, name)).toBeUndefined();
  });

  test('that comes with others of the cluster shares the next repair with them', async () => {
    stage.putCluster({ stackId, uuid, annotations: openCreate(), isReady: false });
    await Promise.all(Array.from({ length: 10 }, () => stage.handle(change('Deployment', name))));
    expect(stage.store.calls.filter((call) => call.endsWith(`/clusters/${stackId}`))).toHaveLength(2);
  });

  test('does nothing where the Cluster is gone, for the Deployment goes with it', async () => {
    putDeployment();
    expect(await stage.handle(change('Deployment', name))).toEqual({ reply: undefined, calls: 1 });
  });

  test('of which the repair fails is left to the next resync', async () => {
    stage.putCluster({ stackId, uuid, annotations: openCreate(), isReady: false });
    putDeployment();
    stage.store.intercept = async (call) => (call.startsWith('DELETE') ? 403 : undefined);
    await stage.handle(change('Deployment', name));
    expect(stage.log).toMatchObject([{ level: 'warn', stack_id: stackId }]);
  });
});

test('an autoscaler is repaired when an operation on its cluster is complete', async () => {
  stage.putCluster({ stackId, uuid, annotations: openCreate(), isReady: true });
  putDeployment();
  await stage.handle(change('Cluster', stackId));
  expect(stage.store.find(resources.deployment, name)).toBeUndefined();
});

test('a resync repairs autoscalers, and asks only after those that are there', async () => {
  stage.putCluster({ stackId, uuid, annotations: openCreate(), isReady: false });
  stage.putCluster({ stackId: 'kube-fghij', uuid: uuid.replace('1', '2'), annotations: openCreate(), isReady: false });
  putDeployment();
  await stage.handle({ type: 'dev.knative.sources.ping' });
  expect(stage.store.find(resources.deployment, name)).toBeUndefined();
  expect(stage.store.calls.filter((call) => call.includes('/deployments/'))).toEqual([
    `GET /apis/apps/v1/namespaces/magnum-system/deployments/${name}`,
    `DELETE /apis/apps/v1/namespaces/magnum-system/deployments/${name}`,
  ]);
});
