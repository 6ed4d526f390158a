import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openRecord, recordAnnotation } from '../../shared/kubernetes/operation-record.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { cloudConfigSecret, deleteMark } from '../../shared/render/cloud-config.ts';
import { demoAccess } from '../../test/cloud/openstack/demo-session.ts';
import { addServiceLoadBalancer } from '../../test/cloud/openstack/service-load-balancer.ts';
import { type SimulatedOpenStack, startSimulatedOpenStack } from '../../test/cloud/openstack/simulated-openstack.ts';
import { openCreate, sampleObjects } from './testing/sample-cluster.ts';
import { type StatusStage, startOfTime, startStatusStage } from './testing/status-stage.ts';

const stackId = 'kube-abcde';
const uuid = 'a3f0b1c2-0000-4000-8000-000000000001';
const record = openRecord({ id: 'delete-1', time: startOfTime.toISOString() }, 'cluster.delete', 60);
const ping = { type: 'dev.knative.sources.ping' };
const change = {
  type: 'dev.knative.apiserver.ref.delete',
  data: { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name: stackId, namespace: 'magnum-system' },
};

let cloud: SimulatedOpenStack;
let stage: StatusStage;
beforeEach(async () => {
  [cloud, stage] = await Promise.all([startSimulatedOpenStack(), startStatusStage()]);
});
afterEach(() => Promise.all([cloud.stop(), stage.stop()]));

function putCloudConfig(isMarked: boolean): void {
  const owner = { uuid, projectId: 'p', userId: 'u', serverGroups: {} };
  const { metadata, ...rest } = cloudConfigSecret({ stackId, credential: demoAccess(cloud), record: owner });
  const annotations = { ...metadata.annotations, ...(isMarked ? Object.fromEntries([deleteMark(record)]) : {}) };
  stage.store.put(resources.secret, { ...rest, metadata: { ...metadata, annotations } });
}

const cloudConfig = () => stage.store.find(resources.secret, `${stackId}-cloud-config`);
const cluster = () => stage.store.find(resources.cluster, stackId);
const balancers = () => cloud.state.loadBalancers.length;
const addBalancer = () => addServiceLoadBalancer(cloud.state, { clusterName: uuid, name: 'web' }).balancer;

describe('when the Cluster of a marked cluster is gone', () => {
  test('its end is reported, and what only an operator can remove is named', async () => {
    putCloudConfig(true);
    addBalancer();
    const { reply } = await stage.handle(change);
    expect(reply?.data).toMatchObject({ cluster_uuid: uuid, stack_id: stackId, action: 'DELETE', state: 'COMPLETE' });
    const reason: unknown = Object(reply?.data).status_reason;
    expect(reason).toContain('cannot be deleted: the functions have no credential of their own.');
    expect(stage.log).toContainEqual(expect.objectContaining({ remaining: [reason], stack_id: stackId }));
    expect([balancers(), cloudConfig()]).toEqual([0, undefined]);
  });

  test('what may still go keeps its Secret, and the resync comes back for it', async () => {
    putCloudConfig(true);
    cloud.faults.inject({ service: 'compute', method: 'GET', path: '/os-server-groups', status: 501 });
    const { reply } = await stage.handle(change);
    expect(reply?.data).toMatchObject({ state: 'IN_PROGRESS', status_reason: expect.stringContaining('501') });
    expect(cloudConfig()).toBeDefined();
    await stage.handle(ping);
    expect(cloudConfig()).toBeUndefined();
  });

  test('nothing is cleaned up where nobody asked for the deletion', async () => {
    putCloudConfig(false);
    addBalancer();
    const { reply } = await stage.handle(change);
    expect(reply?.data).toMatchObject({ state: 'FAILED' });
    await stage.handle(ping);
    expect([balancers(), cloudConfig() !== undefined, cloud.requests]).toEqual([1, true, []]);
  });

  test('nothing is cleaned up where there is a Cluster again', async () => {
    putCloudConfig(true);
    stage.store.intercept = async (call) => {
      if (call.startsWith('POST') && call.endsWith('/leases')) stage.putCluster({ stackId, uuid, isReady: true });
      return undefined;
    };
    await stage.handle(change);
    expect(cloudConfig()).toBeDefined();
    expect(cloud.requests).toEqual([]);
  });
});

describe('workers without their Cluster', () => {
  const labels = { 'cluster.x-k8s.io/cluster-name': stackId };
  const deletionTimestamp = startOfTime.toISOString();
  const finalizers = ['cluster.x-k8s.io/machinedeployment'];
  const put = (metadata: object) =>
    stage.store.put(resources.machineDeployment, {
      metadata: { name: `${stackId}-gpu`, labels, finalizers, ...metadata },
    });
  const left = () => stage.store.find(resources.machineDeployment, `${stackId}-gpu`)?.metadata;

  test('stay where they have machines, which are told', async () => {
    putCloudConfig(true);
    put({ deletionTimestamp });
    for (const name of ['a', 'b', 'c', 'd']) stage.store.put(resources.machine, { metadata: { name, labels } });
    const { reply } = await stage.handle(change);
    expect(reply?.data).toMatchObject({
      state: 'COMPLETE',
      status_reason: expect.stringMatching(/^Machines stay with their servers, .*: a, b, c and 1 more\./),
    });
    expect(left()).toMatchObject({ finalizers });
  });

  test.each([
    ['lose their finalizers where nothing else of the cluster is known', { deletionTimestamp }, undefined],
    ['stay as they are where nobody has begun to delete them', {}, finalizers],
  ])('%s', async (_title, metadata, expected) => {
    put(metadata);
    expect((await stage.handle(change)).reply).toBeUndefined();
    expect(left()?.['finalizers']).toEqual(expected);
  });
});

describe('a resync goes on with a deletion whose function died', () => {
  test.each([
    ['after it marked the Secret', true, openCreate()],
    ['after it marked the Cluster', false, { [recordAnnotation(null)]: JSON.stringify(record) }],
  ])('%s', async (_title, isMarked, annotations) => {
    putCloudConfig(isMarked);
    stage.putCluster({ stackId, uuid, annotations, isReady: true });
    addBalancer();
    await stage.handle(change);
    expect([balancers(), cluster() !== undefined]).toEqual([1, true]);
    await stage.handle(ping);
    expect([balancers(), cluster()]).toEqual([0, undefined]);
  });

  test('and leaves a cluster alone that nobody asked to delete', async () => {
    putCloudConfig(false);
    stage.putCluster({ stackId, uuid, annotations: openCreate(), isReady: true });
    addBalancer();
    await stage.handle(ping);
    expect([balancers(), cluster() !== undefined]).toEqual([1, true]);
  });

  test('and removes load balancers that the cluster has made since', async () => {
    putCloudConfig(true);
    for (const [type, object] of sampleObjects({ stackId, uuid, isReady: true })) {
      const metadata = { ...object.metadata, deletionTimestamp: startOfTime.toISOString() };
      stage.store.put(type, type === resources.cluster ? { ...object, metadata } : object);
    }
    addBalancer();
    await stage.handle(ping);
    expect([balancers(), cluster() !== undefined]).toEqual([0, true]);
  });
});
