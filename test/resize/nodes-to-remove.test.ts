import { describe, expect, test } from 'vitest';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { type CreatedCluster, createCluster } from '../functions/created-cluster.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { type HandMadeMachine, makeMachine, markOf } from './hand-made-machines.ts';
import { readCluster, readEntry, rejectionOf } from './read-cluster.ts';
import { refuseChanges } from './refused-changes.ts';

const stage = stageOfFile();

const balanced = { cluster: { master_lb_enabled: true }, cluster_template: { master_lb_enabled: true } };
const three = { workers: { node_count: 3 } };

interface Machines extends CreatedCluster {
  readonly workers: readonly [HandMadeMachine, HandMadeMachine, HandMadeMachine];
}

/** A cluster of three workers. */
async function threeWorkers(annotations: Readonly<Record<string, string>> = {}): Promise<Machines> {
  const cluster = await createCluster(stage(), { ...three, ...balanced });
  const { stackId } = cluster;
  const make = (isBuilding: boolean) =>
    makeMachine(stage(), { stackId, nodegroup: 'default-worker', isBuilding, annotations });
  return { ...cluster, workers: [await make(false), await make(false), await make(true)] };
}

const marksOf = (machines: readonly HandMadeMachine[]) => Promise.all(machines.map((one) => markOf(stage(), one)));

describe('the nodes that a resize names', () => {
  test('are marked before the nodegroup shrinks, also one whose server is still being built', async () => {
    const { magnum, stackId, workers } = await threeWorkers();
    const [first, second, building] = workers;
    const event = magnum.resize('default-worker', 1, [first.serverId, building.serverId]);
    acceptedStackId(await stage().send(event));
    expect(await marksOf([first, second, building])).toEqual([event.id, undefined, event.id]);
    expect(await readEntry(stage(), stackId, 'default-worker')).toMatchObject({ replicas: 1 });
  });

  test('may be called by the names of their Machines, and may be fewer than go', async () => {
    const { magnum, workers } = await threeWorkers();
    const event = magnum.resize('default-worker', 0, [workers[1].name]);
    acceptedStackId(await stage().send(event));
    expect(await marksOf(workers)).toEqual([undefined, event.id, undefined]);
  });

  test('may be masters', async () => {
    const { magnum, stackId } = await createCluster(stage(), balanced);
    acceptedStackId(await stage().send(magnum.resize('default-master', 3)));
    const make = () => makeMachine(stage(), { stackId, nodegroup: null });
    const masters = [await make(), await make(), await make()];
    const event = magnum.resize('default-master', 1, [masters[2]?.serverId ?? '']);
    acceptedStackId(await stage().send(event));
    expect(await marksOf(masters)).toEqual([undefined, undefined, event.id]);
  });

  test('are accepted again under the same id when they are gone, without a write', async () => {
    const { magnum, stackId, workers } = await threeWorkers();
    const event = magnum.resize('default-worker', 2, [workers[0].serverId]);
    const first = await stage().send(event);
    const { name } = workers[0];
    const finalizers = [{ op: 'remove', path: '/metadata/finalizers' }] as const;
    await stage().kubernetes.delete(resources.machine, { namespace, name });
    await stage()
      .kubernetes.patch(resources.machine, { namespace, name }, { operations: finalizers })
      .catch(() => undefined);
    const before = await readCluster(stage(), stackId);
    expect((await stage().send(event)).data).toEqual(first.data);
    expect((await readCluster(stage(), stackId)).entries).toEqual(before.entries);
  });

  test('are refused with all faults at once, and nothing is marked', async () => {
    const { magnum, stackId, workers } = await threeWorkers();
    const master = await makeMachine(stage(), { stackId, nodegroup: null });
    const [first, second] = workers;
    const nodes = ['unknown', first.serverId, first.name, second.serverId, master.serverId, `${'x'.repeat(10_000)}\n`];
    const before = await readCluster(stage(), stackId);
    const { message, faults } = rejectionOf(await stage().send(magnum.resize('default-worker', 2, nodes)));
    for (const words of [
      'no node with the server id "unknown"',
      `node "${first.name}" is named twice`,
      `node "${master.serverId}" belongs to nodegroup default-master`,
      '2 are named, but the resize from 3 to 2 nodes removes only 1 of them',
    ]) {
      expect(message).toContain(words);
    }
    expect(faults).toHaveLength(5);
    expect(message.length).toBeLessThan(1_000);
    expect(await marksOf(workers)).toEqual([undefined, undefined, undefined]);
    expect((await readCluster(stage(), stackId)).entries).toEqual(before.entries);
  });

  test.each([
    ['grows', 4],
    ['stays', 3],
  ])('are refused when the nodegroup %s', async (_title, count) => {
    const { magnum, workers } = await threeWorkers();
    const { message } = rejectionOf(await stage().send(magnum.resize('default-worker', count, [workers[0].serverId])));
    expect(message).toContain(`the resize from 3 to ${count} nodes removes no nodes`);
  });

  test('are the ones that go, whatever a resize that never came to its end has marked', async () => {
    const { magnum, workers } = await threeWorkers({ 'cluster.x-k8s.io/delete-machine': 'yes' });
    const [first, second, third] = workers;
    for (const { name } of [second, third]) await unmark(name);
    const event = magnum.resize('default-worker', 2, [second.serverId]);
    acceptedStackId(await stage().send(event));
    expect(await marksOf([first, second, third])).toEqual([undefined, event.id, undefined]);
  });

  test('leave those marked that the resize before has still to remove', async () => {
    const { magnum, workers } = await threeWorkers();
    const [first, second, third] = workers;
    const before = magnum.resize('default-worker', 2, [first.serverId]);
    acceptedStackId(await stage().send(before));
    const event = magnum.resize('default-worker', 1, [second.serverId]);
    acceptedStackId(await stage().send(event));
    expect(await marksOf([first, second, third])).toEqual([before.id, event.id, undefined]);
  });

  test('lose their mark again when Cluster API refuses the change', async () => {
    const { magnum, stackId, workers } = await threeWorkers();
    const refusing = await refuseChanges(stage(), stackId);
    try {
      const { message } = rejectionOf(await stage().send(magnum.resize('default-worker', 2, [workers[0].serverId])));
      expect(message).toContain('Cluster API refuses the cluster');
      expect(await marksOf(workers)).toEqual([undefined, undefined, undefined]);
    } finally {
      await refusing.end();
    }
  });
});

async function unmark(name: string): Promise<void> {
  const path = '/metadata/annotations/cluster.x-k8s.io~1delete-machine';
  await stage().kubernetes.patch(resources.machine, { namespace, name }, { operations: [{ op: 'remove', path }] });
}
