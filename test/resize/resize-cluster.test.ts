import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { createCluster } from '../functions/created-cluster.ts';
import type { ExampleEvent } from '../functions/example-event.ts';
import { objectsOf } from '../functions/live-objects.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { waitForTopology } from '../functions/topology.ts';
import { readCluster, readEntry, rejectionOf } from './read-cluster.ts';

const stage = stageOfFile();

const balanced = { cluster: { master_lb_enabled: true }, cluster_template: { master_lb_enabled: true } };
const single = { cluster: { master_lb_enabled: false }, cluster_template: { master_lb_enabled: false } };
const autoscaled = { auto_scaling_enabled: 'true', max_node_count: '6' };

/** The event with another nodegroup row or other arguments. */
function changed(event: ExampleEvent, data: Readonly<Record<string, unknown>>, row: object = {}): ExampleEvent {
  return { ...event, data: { ...event.data, nodegroup: { ...Object(event.data['nodegroup']), ...row }, ...data } };
}

describe('workers', () => {
  test('grow and shrink, and Cluster API does what the topology says', async () => {
    const { magnum, stackId } = await createCluster(stage());
    const before = await readCluster(stage(), stackId);
    for (const count of [5, 2, 0]) {
      acceptedStackId(await stage().send(magnum.resize('default-worker', count)));
      expect(await readEntry(stage(), stackId, 'default-worker')).toMatchObject({ replicas: count });
      await waitForTopology(stage().api, stackId);
      const [deployment] = await objectsOf(stage().kubernetes, resources.machineDeployment, stackId);
      expect(deployment).toMatchObject({ spec: { replicas: count } });
    }
    const after = await readCluster(stage(), stackId);
    expect([after.masters, after.others]).toEqual([before.masters, before.others]);
    const [own] = after.entries;
    expect({ ...own, replicas: 2 }).toEqual(before.entries[0]);
  });

  test('are answered with the cluster and the nodegroup, and the operation is recorded there', async () => {
    const { magnum, stackId } = await createCluster(stage());
    const event = magnum.resize('default-worker', 3);
    const { data } = await stage().send(event);
    expect(data).toEqual({ cluster_uuid: magnum.uuid, stack_id: stackId, nodegroup: 'default-worker', notes: [] });
    expect((await readCluster(stage(), stackId)).record('default-worker')).toEqual({
      id: event.id,
      type: 'cluster.resize',
      started: event.time,
      deadline: new Date(Date.parse(event.time) + 60 * 60_000).toISOString(),
      completed: null,
    });
  });

  test('of the number that they have are recorded all the same, so that the end can be reported', async () => {
    const { magnum, stackId } = await createCluster(stage());
    const event = magnum.resize('default-worker', 2);
    acceptedStackId(await stage().send(event));
    expect((await readCluster(stage(), stackId)).record('default-worker')).toMatchObject({ id: event.id });
  });

  test('are resized although everything else of the rows has gone bad, without a call to the cloud', async () => {
    const { magnum, stackId } = await createCluster(stage());
    const event = magnum.resize('default-worker', 4);
    const bad = { fixed_network: 'deleted', keypair: 'lost', labels: { kube_tag: 'x', boot_volume_size: '10GB' } };
    const row = {
      image_id: 'gone',
      flavor_id: null,
      labels: 'none',
      node_labels: 7,
      node_taints: 'x',
      is_default: null,
    };
    stage().cloud.requests.length = 0;
    acceptedStackId(await stage().send(changed(event, { cluster: { ...event.data.cluster, ...bad } }, row)));
    expect(await readEntry(stage(), stackId, 'default-worker')).toMatchObject({ replicas: 4 });
    expect(stage().cloud.requests).toEqual([]);
  });

  test.each([
    ['above the maximum', 7, { max_node_count: 6 }, '7 is above max_node_count, 6'],
    ['below the minimum', 1, { min_node_count: 2 }, '1 is below min_node_count, 2'],
    ['more than Kubernetes can count', 9_007_199_254_740_991, {}, '9007199254740991'],
    ['held against a maximum that is none', 3, { max_node_count: { x: 1 } }, 'max_node_count'],
  ])('are refused when the number is %s', async (_title, count, row, words) => {
    const { magnum, stackId } = await createCluster(stage());
    const before = await readCluster(stage(), stackId);
    const { message } = rejectionOf(await stage().send(changed(magnum.resize('default-worker', count), {}, row)));
    expect(message).toContain(words);
    expect((await readCluster(stage(), stackId)).entries).toEqual(before.entries);
  });

  test('whose nodegroup has empty limits or none are resized', async () => {
    const { magnum } = await createCluster(stage());
    const row = { min_node_count: null, max_node_count: null, role: null, uuid: null, status: null };
    acceptedStackId(await stage().send(changed(magnum.resize('default-worker', 3), {}, row)));
  });
});

describe('masters', () => {
  test('go from one to three and back where there is a load balancer', async () => {
    const { magnum, stackId } = await createCluster(stage(), balanced);
    for (const count of [3, 1]) {
      const event = magnum.resize('default-master', count);
      acceptedStackId(await stage().send(event));
      const { masters, record } = await readCluster(stage(), stackId);
      expect(masters).toBe(count);
      expect(record('default-master')).toMatchObject({ id: event.id, type: 'cluster.resize' });
    }
    await waitForTopology(stage().api, stackId);
  });

  test.each([
    ['an even number', balanced, 2, '"2" is not an odd number of masters'],
    ['none', balanced, 0, '"0" is not an odd number of masters'],
    ['three without a load balancer', single, 3, 'need a load balancer'],
  ])('are refused when they are to be %s', async (_title, changes, count, words) => {
    const { magnum, stackId } = await createCluster(stage(), changes);
    const before = await readCluster(stage(), stackId);
    expect(rejectionOf(await stage().send(magnum.resize('default-master', count))).message).toContain(words);
    const after = await readCluster(stage(), stackId);
    expect([after.masters, after.record('default-master')]).toEqual([before.masters, null]);
  });
});

describe('a nodegroup', () => {
  test('that the autoscaler resizes is refused with its limits and what to change', async () => {
    const { magnum, stackId } = await createCluster(stage(), { labels: autoscaled });
    const answer = await stage().send(magnum.resize('default-worker', 3));
    expect(answer.data).toMatchObject({ message: expect.stringContaining('between 0 and 6 nodes') });
    expect(answer.data).toMatchObject({ hint: expect.stringContaining('min_node_count and max_node_count') });
    expect(await readEntry(stage(), stackId, 'default-worker')).not.toHaveProperty('replicas');
  });

  test('that is still being created is resized', async () => {
    const { magnum, stackId } = await createCluster(stage());
    acceptedStackId(await stage().send(magnum.createNodegroup('fresh', { node_count: 1 })));
    acceptedStackId(await stage().send(magnum.resize('fresh', 2)));
    expect(await readEntry(stage(), stackId, 'fresh')).toMatchObject({ replicas: 2 });
  });

  test.each(['gone', '', 'n'.repeat(10_000), '../../etc', '__proto__'])('named %s does not exist', async (name) => {
    const { magnum } = await createCluster(stage());
    const event = changed(magnum.resize('default-worker', 2), {}, { name });
    const { code, message } = rejectionOf(await stage().send(event));
    expect(code).toBe('not_found');
    expect(message.length).toBeLessThan(200);
  });

  test('of another driver, whose entry has neither metadata nor overrides, is resized', async () => {
    const { magnum, stackId } = await createCluster(stage());
    const entry = { class: 'default-worker', name: 'bare', replicas: 1 };
    const operations = [{ op: 'add', path: '/spec/topology/workers/machineDeployments/-', value: entry }] as const;
    await stage().kubernetes.patch(resources.cluster, { namespace, name: stackId }, { operations });
    const event = changed(magnum.resize('default-worker', 2), {}, { name: 'bare' });
    acceptedStackId(await stage().send(event));
    const { name, replicas, metadata } = await readEntry(stage(), stackId, 'bare');
    expect({ name, replicas, metadata }).toEqual({ name: 'bare', replicas: 2, metadata: undefined });
  });
});

describe('events', () => {
  test('about different nodegroups at once lose nothing, nor a nodegroup that comes meanwhile', async () => {
    const { magnum, stackId } = await createCluster(stage(), balanced);
    for (const name of ['one', 'two']) {
      acceptedStackId(await stage().send(magnum.createNodegroup(name, { node_count: 1 })));
    }
    const other = await stage().startAnother({ name: 'resize' });
    const answers = await Promise.all([
      stage().send(magnum.resize('one', 3)),
      stage().send(magnum.resize('two', 4), other.url),
      stage().send(magnum.resize('default-worker', 5)),
      stage().send(magnum.resize('default-master', 3), other.url),
      stage().send(magnum.createNodegroup('three', { node_count: 1 })),
    ]);
    for (const answer of answers) acceptedStackId(answer);
    const { masters, entries } = await readCluster(stage(), stackId);
    expect(masters).toBe(3);
    expect(Object.fromEntries(entries.map(({ name, replicas }) => [name, replicas]))).toEqual({
      'default-worker': 5,
      one: 3,
      two: 4,
      three: 1,
    });
  });

  test('that come again write nothing, and those that come late do not undo what is newer', async () => {
    const { magnum, stackId } = await createCluster(stage());
    const older = magnum.resize('default-worker', 5);
    const first = await stage().send(older);
    const once = await readCluster(stage(), stackId);
    expect((await stage().send(older)).data).toEqual(first.data);
    expect((await readCluster(stage(), stackId)).record('default-worker')).toEqual(once.record('default-worker'));
    const newer = {
      ...magnum.resize('default-worker', 3),
      time: new Date(Date.parse(older.time) + 1_000).toISOString(),
    };
    acceptedStackId(await stage().send(newer));
    expect(rejectionOf(await stage().send(older))).toMatchObject({ code: 'superseded' });
    expect(await readEntry(stage(), stackId, 'default-worker')).toMatchObject({ replicas: 3 });
  });

  test('under another id leave the same size', async () => {
    const { magnum, stackId } = await createCluster(stage());
    const event = magnum.resize('default-worker', 3);
    const first = await stage().send(event);
    const second = await stage().send({ ...event, id: `req-${randomUUID()}` });
    expect(second.data).toEqual(first.data);
    expect(await readEntry(stage(), stackId, 'default-worker')).toMatchObject({ replicas: 3 });
  });

  test('wait for the Lease of the cluster, and are sent again where another keeps it', async () => {
    const { magnum, stackId } = await createCluster(stage());
    const { apiVersion, kind } = resources.lease;
    const name = `cluster-${magnum.uuid}`;
    const now = new Date().toISOString().replace('Z', '000Z');
    const spec = { holderIdentity: 'another', leaseDurationSeconds: 15, acquireTime: now, renewTime: now };
    await stage().kubernetes.create(resources.lease, { apiVersion, kind, metadata: { name, namespace }, spec });
    const event = magnum.resize('default-worker', 4);
    const answer = await stage().sendOnce(event);
    expect([answer.status, Number(answer.headers['retry-after']) > 0]).toEqual([429, true]);
    await stage().kubernetes.delete(resources.lease, { namespace, name });
    acceptedStackId(await stage().send(event));
    expect(await readEntry(stage(), stackId, 'default-worker')).toMatchObject({ replicas: 4 });
  });

  test('about a cluster that is not there, or is being deleted, are refused', async () => {
    const { magnum, stackId } = await createCluster(stage());
    const event = magnum.resize('default-worker', 4);
    const uuid = randomUUID();
    const elsewhere = { ...event, subject: uuid, partitionkey: uuid };
    const lost = changed(elsewhere, { cluster: { ...event.data.cluster, uuid, stack_id: null } });
    expect(rejectionOf(await stage().send(lost))).toMatchObject({ code: 'not_found' });
    await stage().kubernetes.delete(resources.cluster, { namespace, name: stackId });
    const { code } = rejectionOf(await stage().send(event));
    expect(['superseded', 'not_found']).toContain(code);
  });
});
