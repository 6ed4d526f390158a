import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { type CreatedCluster, createCluster } from '../functions/created-cluster.ts';
import type { ExampleEvent } from '../functions/example-event.ts';
import { objectsOf } from '../functions/live-objects.ts';
import { moveToOldClass } from '../functions/old-class.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { simulateControlPlane } from '../functions/simulated-control-plane.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { waitForTopology } from '../functions/topology.ts';
import { readCluster, readEntry, rejectionOf } from './read-cluster.ts';

const stage = stageOfFile();

const scaling = { auto_scaling_enabled: 'true' };
const taint = { key: 'example.org/gpu', value: 'true', effect: 'NoSchedule' };
const limits = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-';
const capacity = 'capacity.cluster-autoscaler.kubernetes.io/';

/** A cluster with a nodegroup `gpu` of its own. */
async function withNodegroup(fields: Readonly<Record<string, unknown>> = {}): Promise<CreatedCluster> {
  const cluster = await createCluster(stage());
  const event = cluster.magnum.createNodegroup('gpu', { node_count: 2, min_node_count: 1, ...fields });
  acceptedStackId(await stage().send(event));
  stage().cloud.requests.length = 0;
  return cluster;
}

const entryOf = ({ stackId }: CreatedCluster) => readEntry(stage(), stackId, 'gpu');
const annotationsOf = async (cluster: CreatedCluster) => (await entryOf(cluster)).metadata?.annotations ?? {};

async function notesOf(event: ExampleEvent): Promise<string[]> {
  const answer = await stage().send(event);
  acceptedStackId(answer);
  return (answer.data as { notes: string[] }).notes;
}

describe('the row of a nodegroup of fixed size', () => {
  test('sets its number of nodes, and touches nothing else', async () => {
    const cluster = await withNodegroup();
    const before = await readCluster(stage(), cluster.stackId);
    const event = cluster.magnum.updateNodegroup('gpu', { node_count: 4, max_node_count: 6 });
    expect(await notesOf(event)).toEqual([]);
    const after = await readCluster(stage(), cluster.stackId);
    const gpu = before.entries.find(({ name }) => name === 'gpu');
    expect(after.entries).toEqual([before.entries[0], { ...gpu, replicas: 4 }]);
    expect([after.masters, after.others]).toEqual([before.masters, before.others]);
    expect(after.record('gpu')).toMatchObject({ id: event.id, type: 'nodegroup.update', completed: null });
    expect(stage().cloud.requests).toEqual([]);
  });

  test('does not change flavor, image or volumes, whatever it says of them', async () => {
    const cluster = await withNodegroup();
    const before = await entryOf(cluster);
    const labels = { boot_volume_size: '10GB', auto_healing_enabled: 'false', availability_zone: 'az9' };
    const fields = { flavor_id: 'm9.huge', image_id: 'lost', docker_volume_size: 7, labels };
    expect(await notesOf(cluster.magnum.updateNodegroup('gpu', fields))).toEqual([]);
    expect(await entryOf(cluster)).toEqual(before);
  });

  test('that says what is there already changes nothing but the record', async () => {
    const cluster = await withNodegroup({ node_labels: { a: '1', b: '2' }, node_taints: [taint] });
    const before = await entryOf(cluster);
    const event = cluster.magnum.updateNodegroup('gpu', { node_labels: { b: '2', a: '1' } });
    expect(await notesOf(event)).toEqual([]);
    expect(await entryOf(cluster)).toEqual(before);
    expect((await readCluster(stage(), cluster.stackId)).record('gpu')).toMatchObject({ id: event.id });
  });
});

describe('labels and taints of nodes', () => {
  test('reach the machine deployment, whose nodes are rebuilt, which the reply says', async () => {
    const cluster = await withNodegroup();
    await waitForTopology(stage().api, cluster.stackId);
    await simulateControlPlane(stage().api, cluster.stackId);
    const fields = { node_labels: { 'example.org/pool': 'gpu' }, node_taints: [taint] };
    expect(await notesOf(cluster.magnum.updateNodegroup('gpu', fields))).toEqual([
      'Nodegroup gpu is rebuilt node by node, since nodes take labels and taints only when they join the cluster.',
    ]);
    await waitForTopology(stage().api, cluster.stackId);
    const templates = await objectsOf(stage().kubernetes, resources.kubeadmConfigTemplate, `${cluster.stackId}-gpu`);
    expect(JSON.stringify(templates)).toContain('example.org/pool=gpu');
    expect(JSON.stringify(templates)).toContain('example.org/gpu');
  });

  test('that are taken away leave no override', async () => {
    const cluster = await withNodegroup({ node_labels: { pool: 'gpu' }, node_taints: [taint] });
    const names = async () => (await entryOf(cluster)).variables?.overrides.map(({ name }) => name);
    expect(await names()).toEqual(expect.arrayContaining(['nodeLabels', 'nodeTaints']));
    expect(await notesOf(cluster.magnum.updateNodegroup('gpu', { node_labels: {}, node_taints: [] }))).toHaveLength(1);
    expect(await names()).not.toEqual(expect.arrayContaining(['nodeLabels']));
    expect(await names()).not.toEqual(expect.arrayContaining(['nodeTaints']));
    await waitForTopology(stage().api, cluster.stackId);
  });

  test('need a class that knows them', async () => {
    const cluster = await withNodegroup();
    await moveToOldClass(stage(), cluster.stackId, ['nodeLabels', 'nodeTaints']);
    const asking = cluster.magnum.updateNodegroup('gpu', { node_labels: { pool: 'gpu' } });
    expect(rejectionOf(await stage().send(asking))).toMatchObject({ code: 'upgrade_required' });
    const plain = cluster.magnum.updateNodegroup('gpu', { node_labels: {}, node_count: 3 });
    expect(await notesOf(plain)).toEqual([]);
    expect(await entryOf(cluster)).toMatchObject({ replicas: 3 });
  });
});

describe('limits of the autoscaler', () => {
  test('change without a call to the cloud, and no number of nodes is sent', async () => {
    const cluster = await withNodegroup({ labels: scaling, max_node_count: 3 });
    const before = await annotationsOf(cluster);
    const event = cluster.magnum.updateNodegroup('gpu', { min_node_count: 2, max_node_count: 6 });
    expect(await notesOf(event)).toEqual([]);
    expect(await annotationsOf(cluster)).toEqual({ ...before, [`${limits}min-size`]: '2', [`${limits}max-size`]: '6' });
    expect(await entryOf(cluster)).not.toHaveProperty('replicas');
    expect(stage().cloud.requests).toEqual([]);
  });

  test('come with labels and taints of the nodes, as the autoscaler has to know them', async () => {
    const cluster = await withNodegroup({ labels: scaling, max_node_count: 3 });
    const fields = { node_labels: { pool: 'gpu' }, node_taints: [taint] };
    expect(await notesOf(cluster.magnum.updateNodegroup('gpu', fields))).toHaveLength(1);
    const annotations = await annotationsOf(cluster);
    expect(annotations[`${capacity}labels`]).toContain('pool=gpu');
    expect(annotations[`${capacity}taints`]).toBe('example.org/gpu=true:NoSchedule');
    await notesOf(cluster.magnum.updateNodegroup('gpu', { node_taints: [] }));
    expect(await annotationsOf(cluster)).not.toHaveProperty(`${capacity}taints`);
  });

  test('take the place of a number of nodes, and bring what a node has and the autoscaler itself', async () => {
    const cluster = await withNodegroup();
    const deployment = { namespace, name: `${cluster.stackId}-autoscaler` };
    expect(await stage().kubernetes.find(resources.deployment, deployment)).toBeUndefined();
    await notesOf(cluster.magnum.updateNodegroup('gpu', { labels: scaling, max_node_count: 5 }));
    expect(await entryOf(cluster)).not.toHaveProperty('replicas');
    const flavor = stage().cloud.state.flavors.find(({ name }) => name === 'm1.medium');
    expect(await annotationsOf(cluster)).toMatchObject({
      [`${limits}min-size`]: '1',
      [`${limits}max-size`]: '5',
      [`${capacity}cpu`]: `${flavor?.vcpus}`,
      [`${capacity}memory`]: expect.stringMatching(/^\d+Mi$/),
      [`${capacity}ephemeral-disk`]: expect.stringMatching(/^\d+Gi$/),
    });
    await stage().kubernetes.get(resources.deployment, deployment);
    await waitForTopology(stage().api, cluster.stackId);
    await notesOf(cluster.magnum.updateNodegroup('gpu', { labels: {}, node_count: 2 }));
    expect(await annotationsOf(cluster)).toEqual({});
    expect(await entryOf(cluster)).toMatchObject({ replicas: 2 });
    await waitForTopology(stage().api, cluster.stackId);
  });

  test.each([
    ['a maximum below the minimum', { min_node_count: 4, max_node_count: 2 }, '2 is below the minimum of 4 nodes'],
    [
      'a number of nodes outside of them',
      { min_node_count: 3, max_node_count: 6 },
      "2 is outside the autoscaler's range",
    ],
    ['no numbers', { min_node_count: 'few', max_node_count: {} }, 'max_node_count'],
  ])('are refused with %s', async (_title, fields, words) => {
    const cluster = await withNodegroup({ labels: scaling, max_node_count: 3 });
    const before = await entryOf(cluster);
    expect(rejectionOf(await stage().send(cluster.magnum.updateNodegroup('gpu', fields))).message).toContain(words);
    expect(await entryOf(cluster)).toEqual(before);
  });
});

describe('an update', () => {
  test('of the masters is recorded, and changes nothing', async () => {
    const { magnum, stackId } = await createCluster(stage());
    const before = await readCluster(stage(), stackId);
    const event = magnum.updateNodegroup('default-master', { max_node_count: 5 });
    expect(await notesOf(event)).toEqual([]);
    const after = await readCluster(stage(), stackId);
    expect([after.masters, after.entries, after.others]).toEqual([before.masters, before.entries, before.others]);
    expect(after.record('default-master')).toMatchObject({ id: event.id, type: 'nodegroup.update' });
  });

  test('is refused with all its faults at once', async () => {
    const cluster = await withNodegroup();
    const value = 'v'.repeat(10_000);
    const fields = {
      node_count: {},
      node_labels: { 'node-role.kubernetes.io/x': '', a: value },
      node_taints: [{ key: 1 }],
    };
    const { message, faults } = rejectionOf(await stage().send(cluster.magnum.updateNodegroup('gpu', fields)));
    for (const words of ['node_count', 'node-role.kubernetes.io/x', 'node_taints']) expect(message).toContain(words);
    expect(faults.length).toBeGreaterThanOrEqual(4);
    expect(message.length).toBeLessThan(2_000);
  });

  test('of a nodegroup that is gone, or that was changed since, is refused', async () => {
    const cluster = await withNodegroup();
    const late = cluster.magnum.updateNodegroup('gpu', { node_count: 5 });
    const newer = cluster.magnum.resize('gpu', 3);
    acceptedStackId(await stage().send({ ...newer, time: new Date(Date.parse(late.time) + 1).toISOString() }));
    expect(rejectionOf(await stage().send(late))).toMatchObject({ code: 'superseded' });
    expect(await entryOf(cluster)).toMatchObject({ replicas: 3 });
    const row = { ...Object(late.data['nodegroup']), name: 'gone' };
    const lost = { ...late, id: `req-${randomUUID()}`, data: { ...late.data, nodegroup: row } };
    expect(rejectionOf(await stage().send(lost))).toMatchObject({ code: 'not_found' });
  });

  test('that comes again is accepted without a write', async () => {
    const cluster = await withNodegroup();
    const event = cluster.magnum.updateNodegroup('gpu', { node_count: 3, node_labels: { pool: 'gpu' } });
    const first = await stage().send(event);
    expect(first.data).toMatchObject({ notes: [expect.stringContaining('is rebuilt node by node')] });
    const { record, entries } = await readCluster(stage(), cluster.stackId);
    expect((await stage().send(event)).data).toEqual(first.data);
    const again = await readCluster(stage(), cluster.stackId);
    expect([again.record('gpu'), again.entries]).toEqual([record('gpu'), entries]);
  });

  test('gives an entry of another driver what it lacks', async () => {
    const cluster = await withNodegroup();
    const entry = { class: 'default-worker', name: 'bare', replicas: 1 };
    const operations = [{ op: 'add', path: '/spec/topology/workers/machineDeployments/-', value: entry }] as const;
    await stage().kubernetes.patch(resources.cluster, { namespace, name: cluster.stackId }, { operations });
    const event = cluster.magnum.updateNodegroup('gpu', { node_count: 2, node_labels: { pool: 'bare' } });
    const row = { ...Object(event.data['nodegroup']), name: 'bare' };
    expect(await notesOf({ ...event, data: { ...event.data, nodegroup: row } })).toHaveLength(1);
    expect(await readEntry(stage(), cluster.stackId, 'bare')).toMatchObject({
      replicas: 2,
      metadata: { labels: { 'node-role.kubernetes.io/gpu': '', 'node.cluster.x-k8s.io/nodegroup': 'bare' } },
      variables: { overrides: [{ name: 'nodeLabels', value: 'pool=bare' }] },
    });
  });
});
