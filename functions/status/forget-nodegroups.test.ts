import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openRecord, readRecord, recordAnnotation } from '../../shared/kubernetes/operation-record.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { cloudConfigSecret, readCloudConfigRecord } from '../../shared/render/cloud-config.ts';
import { demoAccess } from '../../test/cloud/openstack/demo-session.ts';
import { type SimulatedOpenStack, startSimulatedOpenStack } from '../../test/cloud/openstack/simulated-openstack.ts';
import { sampleObjects } from './testing/sample-cluster.ts';
import { type StatusStage, startOfTime, startStatusStage } from './testing/status-stage.ts';

const stackId = 'kube-abcde';
const uuid = 'a3f0b1c2-0000-4000-8000-000000000001';
const ping = { type: 'dev.knative.sources.ping' };
const change = {
  type: 'dev.knative.apiserver.ref.update',
  data: { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name: `${stackId}-x`, namespace: 'magnum-system' },
};

let cloud: SimulatedOpenStack;
let stage: StatusStage;
beforeEach(async () => {
  [cloud, stage] = await Promise.all([startSimulatedOpenStack(), startStatusStage()]);
  for (const name of [stackId, `${stackId}-gone`, `${stackId}-kept`, 'kube-other-gone']) addGroup(name);
  putCluster(['kept']);
});
afterEach(() => Promise.all([cloud.stop(), stage.stop()]));

function addGroup(name: string): void {
  const { userId = '', projectId = '' } = owner();
  cloud.state.serverGroups.push({ id: `id of ${name}`, name, policy: 'affinity', userId, projectId, members: [] });
}

function owner() {
  const [projectId, userId] = [cloud.state.projects, cloud.state.users].map(
    (all) => all.find(({ name }) => name === 'demo')?.id,
  );
  return { projectId, userId };
}

/** A cluster on which the deletion of some nodegroups is recorded. */
function putCluster(nodegroups: readonly string[], deleted: readonly string[] = ['gone']): void {
  const record = openRecord({ id: 'delete-1', time: startOfTime.toISOString() }, 'nodegroup.delete', 60);
  const annotations = Object.fromEntries(deleted.map((name) => [recordAnnotation(name), JSON.stringify(record)]));
  for (const [type, object] of sampleObjects({ stackId, uuid, annotations, isReady: true })) {
    const machineDeployments = nodegroups.map((name) => ({ class: 'default-worker', name }));
    const spec = object.spec as { topology?: object };
    if (type === resources.cluster) Object.assign(spec.topology ?? {}, { workers: { machineDeployments } });
    stage.store.put(type, object);
  }
}

/** @param original a Secret of the original driver, which records nothing */
function putCloudConfig(original = false): void {
  const { userId = '', projectId = '' } = owner();
  const serverGroups = Object.fromEntries(
    ['', '-gone', '-kept'].map((suffix) => [`${stackId}${suffix}`, `id of ${stackId}${suffix}`]),
  );
  const { metadata, ...rest } = cloudConfigSecret({
    stackId,
    credential: demoAccess(cloud),
    record: { uuid, projectId, userId, serverGroups },
  });
  const { annotations: _annotations, ...others } = metadata;
  stage.store.put(resources.secret, { ...rest, metadata: original ? others : metadata });
}

const groups = () => cloud.state.serverGroups.map(({ name }) => name);
const recorded = () =>
  Object.keys(readCloudConfigRecord(stage.store.find(resources.secret, `${stackId}-cloud-config`))?.serverGroups ?? {});
const without = [stackId, `${stackId}-kept`, 'kube-other-gone'];
const completed = () =>
  readRecord(stage.store.find(resources.cluster, stackId)?.metadata.annotations, 'gone')?.completed ?? null;

describe('when a nodegroup is gone, its server group', () => {
  test('goes from the cloud and from the record', async () => {
    putCloudConfig();
    const { reply } = await stage.handle(change);
    expect(reply?.data).toMatchObject({ nodegroups: [{}, {}, { name: 'gone', action: 'DELETE', state: 'COMPLETE' }] });
    expect(groups()).toEqual(without);
    expect(recorded()).toEqual(without.slice(0, 2));
  });

  test('goes by its name where the original driver made the cluster', async () => {
    putCloudConfig(true);
    await stage.handle(change);
    expect(groups()).toEqual(without);
  });

  test.each([
    ['the cloud is down', () => cloud.faults.inject({ service: 'compute', method: 'DELETE', status: 501 })],
    ['the credential is gone', () => void cloud.state.applicationCredentials.splice(0)],
  ])('does not keep the end from being reported where %s', async (_title, fail) => {
    putCloudConfig();
    fail();
    const { reply } = await stage.handle(change);
    expect(reply?.data).toMatchObject({ nodegroups: [{}, {}, { name: 'gone', state: 'COMPLETE' }] });
    expect(completed()).toBe(startOfTime.toISOString());
    expect(groups()).toContain(`${stackId}-gone`);
    expect(recorded()).toContain(`${stackId}-gone`);
  });

  test('goes with the next resync where it could not go before, and is not asked for any more', async () => {
    putCloudConfig();
    cloud.faults.inject({ service: 'compute', method: 'DELETE', status: 501 });
    await stage.handle(change);
    await stage.handle(ping);
    expect(groups()).toEqual(without);
    const asked = cloud.requests.length;
    await stage.handle(ping);
    expect(cloud.requests).toHaveLength(asked);
  });

  test('goes also where the Cluster was changed before the end could be recorded', async () => {
    putCloudConfig();
    let isChanged = false;
    stage.store.intercept = async (call) => {
      if (isChanged || !call.startsWith('PATCH') || !call.includes('/clusters/')) return undefined;
      isChanged = true;
      putCluster(['kept'], ['gone', 'late']);
      return 409;
    };
    addGroup(`${stackId}-late`);
    await stage.handle(change);
    expect(groups()).toEqual(without);
  });

  test('stays where it was created again meanwhile', async () => {
    putCloudConfig();
    stage.store.intercept = async (call) => {
      if (call.startsWith('POST') && call.endsWith('/leases')) putCluster(['kept', 'gone']);
      return undefined;
    };
    await stage.handle(ping);
    expect(groups()).toContain(`${stackId}-gone`);
  });

  test('stays as long as one of its machines is there', async () => {
    putCloudConfig();
    const labels = {
      'cluster.x-k8s.io/cluster-name': stackId,
      'topology.cluster.x-k8s.io/deployment-name': 'gone',
    };
    stage.store.put(resources.machine, { metadata: { name: `${stackId}-gone-1`, labels } });
    await stage.handle(ping);
    expect(groups()).toContain(`${stackId}-gone`);
    expect(completed()).toBeNull();
  });
});
