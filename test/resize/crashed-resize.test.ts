import { describe, expect, test } from 'vitest';
import { isNotFound } from '../../shared/kubernetes/errors.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { createCluster } from '../functions/created-cluster.ts';
import { killAfterEachWrite } from '../functions/killed-function.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { type HandMadeMachine, makeMachine, markOf } from './hand-made-machines.ts';
import { readCluster, readEntry } from './read-cluster.ts';

const stage = stageOfFile();

/** How many of the writes were of a kind; on a busy machine some are tried several times. */
const count = (writes: readonly string[], kind: string) => writes.filter((write) => write.includes(kind)).length;

describe('a function that is killed right after a write', () => {
  test('of a resize is made good by sending the event again', { timeout: 300_000 }, async () => {
    const { magnum, stackId } = await createCluster(stage());
    const killedAfter = await killAfterEachWrite(stage(), 'resize', async (attempt) => {
      const nodegroup = `group-${attempt}`;
      acceptedStackId(await stage().send(magnum.createNodegroup(nodegroup, { node_count: 3 })));
      const make = (annotations = {}) => makeMachine(stage(), { stackId, nodegroup, annotations });
      const left = await make({ 'cluster.x-k8s.io/delete-machine': 'yes' });
      const machines = [left, await make(), await make()];
      const chosen = machines.slice(1).map(({ serverId }) => serverId);
      const event = magnum.resize(nodegroup, 1, chosen);
      return { event, check: () => checkResize(stackId, { id: event.id, nodegroup, machines }) };
    });
    expect(count(killedAfter, '/machines/')).toBeGreaterThanOrEqual(3);
    expect(count(killedAfter, '/clusters/')).toBeGreaterThanOrEqual(1);
    // One that has run out is not given back.
    expect(count(killedAfter, '/leases')).toBeGreaterThanOrEqual(1);
  });

  test('of an update is made good by sending the event again', { timeout: 300_000 }, async () => {
    const { magnum, stackId } = await createCluster(stage());
    const autoscaler = { namespace, name: `${stackId}-autoscaler` };
    const killedAfter = await killAfterEachWrite(stage(), 'resize', async (attempt) => {
      const nodegroup = `group-${attempt}`;
      acceptedStackId(await stage().send(magnum.createNodegroup(nodegroup, { node_count: 1, min_node_count: 1 })));
      // The attempt before has installed it.
      await stage().kubernetes.delete(resources.deployment, autoscaler).catch(ignoreMissing);
      const fields = { labels: { auto_scaling_enabled: 'true' }, max_node_count: 3, node_labels: { pool: 'gpu' } };
      const event = magnum.updateNodegroup(nodegroup, fields);
      return { event, check: () => checkUpdate(stackId, { id: event.id, nodegroup }) };
    });
    expect(count(killedAfter, '/clusters/')).toBeGreaterThanOrEqual(1);
    expect(count(killedAfter, '/deployments/')).toBeGreaterThanOrEqual(1);
  });
});

function ignoreMissing(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

interface Changed {
  readonly id: string;
  readonly nodegroup: string;
}

interface Resized extends Changed {
  /** The first bore the mark of something else. */
  readonly machines: readonly HandMadeMachine[];
}

async function checkResize(stackId: string, { id, nodegroup, machines }: Resized): Promise<void> {
  expect(await Promise.all(machines.map((machine) => markOf(stage(), machine)))).toEqual([undefined, id, id]);
  expect(await readEntry(stage(), stackId, nodegroup)).toMatchObject({ replicas: 1 });
  expect((await readCluster(stage(), stackId)).record(nodegroup)).toMatchObject({ id });
}

async function checkUpdate(stackId: string, { id, nodegroup }: Changed): Promise<void> {
  const entry = await readEntry(stage(), stackId, nodegroup);
  expect(entry).not.toHaveProperty('replicas');
  expect(entry.variables?.overrides).toContainEqual({ name: 'nodeLabels', value: 'pool=gpu' });
  expect((await readCluster(stage(), stackId)).record(nodegroup)).toMatchObject({ id, type: 'nodegroup.update' });
  await stage().kubernetes.get(resources.deployment, { namespace, name: `${stackId}-autoscaler` });
}
