import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { deleteAddons, findAddons } from '../../shared/kubernetes/addon-objects.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { readDeleteRequest } from '../../shared/render/cloud-config.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { addServiceLoadBalancer } from '../cloud/openstack/service-load-balancer.ts';
import { waitFor } from '../env/wait-for.ts';
import { type CreatedCluster, createCluster } from '../functions/created-cluster.ts';
import type { ExampleEvent } from '../functions/example-event.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { waitForTopology } from '../functions/topology.ts';
import { expectNothingLeft, tracesOf } from '../functions/traces.ts';
import { askStatus, untilDeleted } from './deleted-cluster.ts';
import { changeOf, makeWorkers } from './orphaned-workers.ts';

const stage = stageOfFile();
const autoscaled = { auto_scaling_enabled: 'true', min_node_count: '1', max_node_count: '3' };
const always = Number.POSITIVE_INFINITY;
/** Milliseconds; the real managers take a cluster down on a busy machine. */
const timeout = 240_000;

const notesOf = async (event: ExampleEvent) => ((await stage().send(event)).data as { notes: string[] }).notes;
const markOf = async (stackId: string) =>
  readDeleteRequest(await stage().kubernetes.find(resources.secret, { namespace, name: `${stackId}-cloud-config` }));

/** As the load balancers of its Services would look, were there any. */
function addLoadBalancer({ uuid }: CreatedCluster, name = 'web') {
  return addServiceLoadBalancer(stage().cloud.state, { clusterName: uuid, name });
}

/** Waits until the managers have taken the Cluster down, and nobody has looked at it since. */
function untilClusterGone({ stackId }: CreatedCluster): Promise<void> {
  const probe = async () => {
    expect(await stage().kubernetes.find(resources.cluster, { namespace, name: stackId })).toBeUndefined();
  };
  return waitFor(probe, { what: `the Cluster ${stackId} to go`, timeout });
}

describe('a cluster that is deleted', () => {
  test('leaves nothing behind', { timeout }, async () => {
    const cluster = await createCluster(stage(), { labels: autoscaled });
    const { magnum, uuid, stackId } = cluster;
    await waitForTopology(stage().api, stackId);
    addLoadBalancer(cluster);
    const before = (await tracesOf(stage(), cluster)).join('\n');
    for (const kind of [
      'secrets',
      'clusters',
      'deployments',
      'applicationCredentials',
      'serverGroups',
      'loadBalancers',
      'floatingIps',
    ]) {
      expect(before).toContain(kind);
    }
    const answer = await stage().send(magnum.delete());
    expect(answer.data).toMatchObject({ cluster_uuid: uuid, stack_id: stackId, notes: [] });
    expect(await untilDeleted(stage(), magnum)).toMatchObject({ stack_id: stackId, status_reason: null });
    await expectNothingLeft(stage(), cluster);
  });

  test('may have anything in its rows, and no stack id', { timeout }, async () => {
    const cluster = await createCluster(stage());
    const { data, ...attributes } = cluster.magnum.delete();
    const garbage = { kube_tag: ['x'], octavia_provider: 7, '': null };
    const hostile = {
      ...data,
      cluster: { ...data.cluster, stack_id: null, labels: garbage, master_count: 'many', flavor_id: {}, name: 5 },
      cluster_template: { labels: 'none', image_id: [1] },
      nodegroups: [{}, { name: 8, role: {}, labels: garbage }],
      options: { cluster: { pre_delete_lb_timeout: 'soon' }, drivers: 3 },
    };
    expect(acceptedStackId(await stage().send({ ...attributes, data: hostile }))).toBe(cluster.stackId);
    await untilDeleted(stage(), cluster.magnum);
    await expectNothingLeft(stage(), cluster);
  });

  test('leaves another alone whose stack id stands in its row', { timeout }, async () => {
    const other = await createCluster(stage());
    const { data, ...attributes } = other.magnum.delete();
    const uuid = randomUUID();
    const event = { ...attributes, subject: uuid, data: { ...data, cluster: { ...data.cluster, uuid } } };
    expect((await stage().send(event)).data).toMatchObject({ cluster_uuid: uuid, stack_id: '', notes: [] });
    expect(await markOf(other.stackId)).toBeNull();
    const { metadata } = await stage().kubernetes.get(resources.cluster, { namespace, name: other.stackId });
    expect(metadata?.deletionTimestamp).toBeUndefined();
  });

  test('waits for no load balancer that is busy, but comes back for it', { timeout }, async () => {
    const cluster = await createCluster(stage());
    const { balancer } = addLoadBalancer(cluster);
    Object.assign(balancer, { provisioningStatus: 'PENDING_UPDATE' });
    const event = cluster.magnum.delete();
    const data = { ...event.data, options: { cluster: { pre_delete_lb_timeout: 1 } } };
    const [note] = await notesOf({ ...event, data });
    expect(note).toMatch(/^Load balancer .* cannot be deleted while it is in PENDING_UPDATE\.$/);
    await untilClusterGone(cluster);
    const report = await askStatus(stage(), cluster.magnum);
    expect(report).toMatchObject({ action: 'DELETE', state: 'IN_PROGRESS' });
    expect(report?.status_reason).toContain('PENDING_UPDATE');
    Object.assign(balancer, { provisioningStatus: 'ACTIVE' });
    await untilDeleted(stage(), cluster.magnum);
    await expectNothingLeft(stage(), cluster);
  });
});

describe('a cluster of which only a part is there is deleted whole:', () => {
  test.each([
    ['without its Cluster', () => []],
    ['without its last certificates', (name: string) => [`${name}-sa`, `${name}-proxy`]],
    ['without any certificate', (name: string) => ['sa', 'proxy', 'etcd', 'ca'].map((kind) => `${name}-${kind}`)],
  ])('%s', { timeout }, async (_title, missing) => {
    const cluster = await createCluster(stage());
    await stage().kubernetes.delete(resources.cluster, { namespace, name: cluster.stackId });
    await untilClusterGone(cluster);
    for (const name of missing(cluster.stackId)) {
      await stage()
        .kubernetes.delete(resources.secret, { namespace, name })
        .catch(() => undefined);
    }
    addLoadBalancer(cluster);
    // Without a Cluster nothing has to wait for the status function.
    expect(await notesOf(cluster.magnum.delete())).toEqual([]);
    // Cluster API may have made a machine deployment just when its Cluster went.
    await expectNothingLeft(stage(), cluster);
    expect(await askStatus(stage(), cluster.magnum)).toMatchObject({ action: 'DELETE', state: 'COMPLETE' });
  });

  test('without the Secret of its credential', { timeout }, async () => {
    const cluster = await createCluster(stage());
    await stage().kubernetes.delete(resources.secret, { namespace, name: `${cluster.stackId}-cloud-config` });
    const [note] = await notesOf(cluster.magnum.delete());
    expect(note).toContain(`the Secret ${cluster.stackId}-cloud-config with its credential is gone`);
    await untilClusterGone(cluster);
    expect(await askStatus(stage(), cluster.magnum)).toMatchObject({ action: 'DELETE', state: 'COMPLETE' });
  });

  test('without any object, where a create died before it wrote one', { timeout }, async () => {
    const cluster = await createCluster(stage());
    await stage().kubernetes.delete(resources.cluster, { namespace, name: cluster.stackId });
    await untilClusterGone(cluster);
    const live = await findAddons(stage().kubernetes, cluster.stackId);
    await deleteAddons(stage().kubernetes, { live, proceed: () => undefined });
    for (const kind of ['ca', 'etcd', 'proxy', 'sa', 'cloud-config']) {
      await stage().kubernetes.delete(resources.secret, { namespace, name: `${cluster.stackId}-${kind}` });
    }
    const event = cluster.magnum.delete();
    const data = { ...event.data, cluster: { ...event.data.cluster, stack_id: null } };
    expect(await notesOf({ ...event, data })).toEqual([]);
    await expectNothingLeft(stage(), cluster);
  });

  test('with workers that were made when the Cluster was going', { timeout }, async () => {
    const cluster = await createCluster(stage());
    const { metadata } = await stage().kubernetes.get(resources.cluster, { namespace, name: cluster.stackId });
    await stage().kubernetes.delete(resources.cluster, { namespace, name: cluster.stackId });
    await untilClusterGone(cluster);
    await makeWorkers(stage(), { stackId: cluster.stackId, clusterUid: metadata?.uid ?? '' });
    expect(await notesOf(cluster.magnum.delete())).toEqual([]);
    await expectNothingLeft(stage(), cluster);
  });

  test('without anything', async () => {
    const { magnum, ...cluster } = await createCluster(stage());
    const unknown = { ...magnum.delete(), subject: randomUUID() };
    const data = { ...unknown.data, cluster: { ...unknown.data.cluster, uuid: unknown.subject, stack_id: null } };
    const answer = await stage().send({ ...unknown, data });
    expect(answer.data).toEqual({ cluster_uuid: unknown.subject, stack_id: '', nodegroup: null, notes: [] });
    expect(await tracesOf(stage(), cluster)).not.toEqual([]);
  });
});

describe('a deletion', () => {
  test('that is sent again keeps its deadline, and asked for again gets a new one', { timeout }, async () => {
    const cluster = await createCluster(stage());
    const { balancer } = addLoadBalancer(cluster);
    Object.assign(balancer, { provisioningStatus: 'PENDING_UPDATE' });
    const impatient = { options: { cluster: { pre_delete_lb_timeout: 0 } } };
    const asked = (time: string) => {
      const event = cluster.magnum.delete();
      return { ...event, time, data: { ...event.data, ...impatient } };
    };
    const first = asked(new Date(Date.now() + 1_000).toISOString());
    await stage().send(first);
    const record = await markOf(cluster.stackId);
    await stage().send(first);
    await stage().send(asked(new Date(Date.parse(first.time) - 500).toISOString()));
    expect(await markOf(cluster.stackId)).toEqual(record);
    const later = asked(new Date(Date.now() + 60_000).toISOString());
    await stage().send(later);
    expect(await markOf(cluster.stackId)).toMatchObject({ id: later.id });
    Object.assign(balancer, { provisioningStatus: 'ACTIVE' });
    await untilDeleted(stage(), cluster.magnum);
  });

  test('that ran out of time has failed, and is complete when it comes to its end after all', { timeout }, async () => {
    const cluster = await createCluster(stage());
    await stage().kubernetes.delete(resources.cluster, { namespace, name: cluster.stackId });
    await untilClusterGone(cluster);
    stage().cloud.faults.inject({ service: 'compute', method: 'DELETE', status: 500, times: always });
    const event = { ...cluster.magnum.delete(), time: new Date(Date.now() - 3_601_000).toISOString() };
    const [note = ''] = await notesOf(event);
    expect(note).toMatch(/^Server group .* cannot be deleted: .*500/);
    const report = await askStatus(stage(), cluster.magnum);
    expect(report).toMatchObject({ action: 'DELETE', state: 'FAILED' });
    expect(report?.status_reason).toContain('was not complete in time');
    expect(report?.status_reason).toContain(note);
    stage().cloud.faults.clear();
    await untilDeleted(stage(), cluster.magnum);
    await expectNothingLeft(stage(), cluster);
  });

  test('goes on when the cloud is back', { timeout }, async () => {
    const cluster = await createCluster(stage());
    stage().cloud.faults.inject({ status: 503, headers: { 'retry-after': '600' }, times: always });
    const [note] = await notesOf(cluster.magnum.delete());
    expect(note).toContain('503');
    await untilClusterGone(cluster);
    expect(await askStatus(stage(), cluster.magnum)).toMatchObject({ action: 'DELETE', state: 'IN_PROGRESS' });
    stage().cloud.faults.clear();
    await untilDeleted(stage(), cluster.magnum);
    await expectNothingLeft(stage(), cluster);
  });

  test('comes to its end where the cloud refuses everything, and says what stays', { timeout }, async () => {
    const cluster = await createCluster(stage());
    addLoadBalancer(cluster);
    stage().cloud.faults.inject({ method: 'DELETE', status: 403, times: always });
    await stage().send(cluster.magnum.delete());
    const { status_reason } = await untilDeleted(stage(), cluster.magnum);
    stage().cloud.faults.clear();
    for (const words of ['Load balancer ', 'Server group ', 'Application credential '])
      expect(status_reason).toContain(words);
    const left = await tracesOf(stage(), cluster);
    expect(
      left.filter((trace) => !/^(applicationCredentials|serverGroups|loadBalancers|floatingIps) /.test(trace)),
    ).toEqual([]);
  });

  test("cleans up as the functions' own user where the cluster's credential is gone", { timeout }, async () => {
    const cluster = await createCluster(stage());
    addLoadBalancer(cluster);
    const { state } = stage().cloud;
    state.applicationCredentials = state.applicationCredentials.filter(({ name }) => !name.startsWith(cluster.uuid));
    expect(await notesOf(cluster.magnum.delete())).toEqual([]);
    expect(await untilDeleted(stage(), cluster.magnum)).toMatchObject({ status_reason: null });
    await expectNothingLeft(stage(), cluster);
  });

  test('takes along the workers that are made after its end', { timeout }, async () => {
    const cluster = await createCluster(stage());
    const { stackId } = cluster;
    const { metadata } = await stage().kubernetes.get(resources.cluster, { namespace, name: stackId });
    await stage().send(cluster.magnum.delete());
    await untilDeleted(stage(), cluster.magnum);
    await makeWorkers(stage(), { stackId, clusterUid: metadata?.uid ?? '' });
    const change = changeOf(`${stackId}-late`);
    const probe = async () => {
      expect((await stage().send(change)).status).toBe(204);
      expect(await tracesOf(stage(), cluster)).toEqual([]);
    };
    // The garbage collector gives them up first.
    await waitFor(probe, { what: `the workers of ${stackId} to go`, timeout: 60_000 });
  });

  test('of a cluster that is being created is not undone by the create', { timeout }, async () => {
    const cluster = await createCluster(stage());
    Object.assign(addLoadBalancer(cluster).balancer, { provisioningStatus: 'PENDING_UPDATE' });
    const event = cluster.magnum.delete();
    await stage().send({ ...event, data: { ...event.data, options: { cluster: { pre_delete_lb_timeout: 0 } } } });
    const refused = { code: 'superseded' };
    expect((await stage().send(cluster.magnum.creation)).data).toMatchObject(refused);
    await untilClusterGone(cluster);
    expect((await stage().send(cluster.magnum.creation)).data).toMatchObject(refused);
    expect(await stage().kubernetes.find(resources.cluster, { namespace, name: cluster.stackId })).toBeUndefined();
  });
});

test('a cluster that a newer operation was accepted for is not deleted by an older event', async () => {
  const { magnum, stackId } = await createCluster(stage());
  const event = { ...magnum.delete(), time: '2020-01-01T00:00:00Z' };
  expect((await stage().send(event)).data).toMatchObject({ code: 'superseded' });
  expect(await markOf(stackId)).toBeNull();
});
