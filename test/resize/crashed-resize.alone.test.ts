import { describe, expect, test } from 'vitest';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { killAfterEachWrite } from '../functions/killed-function.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { type HandMadeMachine, makeMachine, markOf } from './hand-made-machines.ts';
import { readCluster, readEntry, runningCluster } from './running-cluster.ts';

const stage = stageOfFile();

/** How many of the writes were of a kind. */
const count = (writes: readonly string[], kind: string) => writes.filter((write) => write.includes(kind)).length;

describe('a function that is killed right after a write', () => {
  test('of a resize is made good by sending the event again', { timeout: 300_000 }, async () => {
    const killedAfter = await killAfterEachWrite(stage(), 'resize', async () => {
      const { magnum, stackId } = await runningCluster(stage(), { workers: { node_count: 3 } });
      const make = (annotations = {}) => makeMachine(stage(), { stackId, nodegroup: 'default-worker', annotations });
      const left = await make({ 'cluster.x-k8s.io/delete-machine': 'yes' });
      const machines = [left, await make(), await make()];
      const chosen = machines.slice(1);
      const event = magnum.resize(
        'default-worker',
        1,
        chosen.map(({ serverId }) => serverId),
      );
      return { event, check: () => checkResize(stackId, { id: event.id, machines }) };
    });
    expect(count(killedAfter, '/machines/')).toBe(3);
    expect(count(killedAfter, '/clusters/')).toBe(1);
    expect(count(killedAfter, '/leases')).toBe(2);
  });

  test('of an update is made good by sending the event again', { timeout: 300_000 }, async () => {
    const killedAfter = await killAfterEachWrite(stage(), 'resize', async () => {
      const { magnum, stackId } = await runningCluster(stage());
      acceptedStackId(await stage().send(magnum.createNodegroup('gpu', { node_count: 1, min_node_count: 1 })));
      const fields = { labels: { auto_scaling_enabled: 'true' }, max_node_count: 3, node_labels: { pool: 'gpu' } };
      const event = magnum.updateNodegroup('gpu', fields);
      return { event, check: () => checkUpdate(stackId, event.id) };
    });
    expect(count(killedAfter, '/clusters/')).toBe(1);
    expect(count(killedAfter, '/deployments/')).toBe(1);
  });
});

interface Resized {
  readonly id: string;
  /** The first bore the mark of something else. */
  readonly machines: readonly HandMadeMachine[];
}

async function checkResize(stackId: string, { id, machines }: Resized): Promise<void> {
  expect(await Promise.all(machines.map((machine) => markOf(stage(), machine)))).toEqual([undefined, id, id]);
  expect(await readEntry(stage(), stackId, 'default-worker')).toMatchObject({ replicas: 1 });
  expect((await readCluster(stage(), stackId)).record('default-worker')).toMatchObject({ id });
}

async function checkUpdate(stackId: string, id: string): Promise<void> {
  const entry = await readEntry(stage(), stackId, 'gpu');
  expect(entry).not.toHaveProperty('replicas');
  expect(entry.variables?.overrides).toContainEqual({ name: 'nodeLabels', value: 'pool=gpu' });
  expect((await readCluster(stage(), stackId)).record('gpu')).toMatchObject({ id, type: 'nodegroup.update' });
  await stage().kubernetes.get(resources.deployment, { namespace, name: `${stackId}-autoscaler` });
}
