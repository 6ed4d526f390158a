import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readRecord } from '../../shared/kubernetes/operation-record.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { readCloudConfigRecord } from '../../shared/render/cloud-config.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { waitFor } from '../env/wait-for.ts';
import { type CreatedCluster, createCluster } from '../functions/created-cluster.ts';
import type { ExampleEvent } from '../functions/example-event.ts';
import { objectsOf } from '../functions/live-objects.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { simulateControlPlane } from '../functions/simulated-control-plane.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { waitForTopology } from '../functions/topology.ts';
import type { StatusReport } from './deleted-cluster.ts';

const stage = stageOfFile();

/** A cluster whose nodegroups are machine deployments of Cluster API. */
async function runningCluster(...nodegroups: readonly string[]): Promise<CreatedCluster> {
  const cluster = await createCluster(stage());
  await waitForTopology(stage().api, cluster.stackId);
  await simulateControlPlane(stage().api, cluster.stackId);
  for (const name of nodegroups) await stage().send(cluster.magnum.createNodegroup(name));
  return cluster;
}

const liveCluster = (name: string) => stage().kubernetes.get(resources.cluster, { namespace, name });

async function entries(stackId: string): Promise<readonly string[]> {
  const { spec } = await liveCluster(stackId);
  const { topology } = spec as { topology: { workers?: { machineDeployments: { name: string }[] } } };
  return (topology.workers?.machineDeployments ?? []).map(({ name }) => name);
}

async function recordOf(stackId: string, name: string) {
  return readRecord((await liveCluster(stackId)).metadata?.annotations, name);
}

const groups = (stackId: string) =>
  stage()
    .cloud.state.serverGroups.map(({ name }) => name)
    .filter((name) => name.startsWith(`${stackId}-`))
    .toSorted();

/** Asks as Magnum does, until the nodegroup is gone. */
async function untilGone({ magnum }: CreatedCluster, name: string): Promise<void> {
  const probe = async () => {
    const report = (await stage().send(magnum.requestStatus('UPDATE_IN_PROGRESS'))).data as StatusReport;
    expect(report.nodegroups).toContainEqual(expect.objectContaining({ name, action: 'DELETE', state: 'COMPLETE' }));
  };
  await waitFor(probe, { what: `the end of nodegroup ${name}`, timeout: 120_000 });
}

async function accepted(event: ExampleEvent): Promise<string> {
  return acceptedStackId(await stage().send(event));
}

describe('a nodegroup that is deleted', () => {
  test('goes with its machines, its server group and nothing else', { timeout: 240_000 }, async () => {
    const cluster = await runningCluster('one', 'two', 'three');
    const { magnum, stackId } = cluster;
    await waitForTopology(stage().api, stackId);
    for (const name of ['two', 'three', 'one']) {
      expect(await accepted(magnum.deleteNodegroup(name))).toBe(stackId);
      await untilGone(cluster, name);
      expect(await objectsOf(stage().kubernetes, resources.machineDeployment, `${stackId}-${name}`)).toEqual([]);
    }
    expect(await entries(stackId)).toEqual(['default-worker']);
    expect(groups(stackId)).toEqual([`${stackId}-default-worker`]);
    const secret = await stage().kubernetes.get(resources.secret, { namespace, name: `${stackId}-cloud-config` });
    const recorded = Object.keys(readCloudConfigRecord(secret)?.serverGroups ?? {});
    expect(recorded.toSorted()).toEqual([stackId, `${stackId}-default-worker`]);
  });

  test('may be the last one of the topology', async () => {
    const cluster = await createCluster(stage(), { workers: { is_default: false } });
    await accepted(cluster.magnum.deleteNodegroup('default-worker'));
    expect(await entries(cluster.stackId)).toEqual([]);
  });

  test('can be created again under its name at once, and keeps its new server group', {
    timeout: 240_000,
  }, async () => {
    const cluster = await runningCluster('again');
    const { magnum, stackId } = cluster;
    const removal = magnum.deleteNodegroup('again');
    await accepted(removal);
    await accepted(magnum.createNodegroup('again'));
    await waitForTopology(stage().api, stackId);
    await stage().send(magnum.requestStatus('UPDATE_IN_PROGRESS'));
    expect(await entries(stackId)).toContain('again');
    expect(groups(stackId)).toContain(`${stackId}-again`);
    // The deletion, held up somewhere, comes once more.
    expect((await stage().send({ ...removal, id: `req-${randomUUID()}` })).data).toMatchObject({ code: 'superseded' });
    expect(await entries(stackId)).toContain('again');
  });

  test('twice changes nothing more', async () => {
    const { magnum, stackId } = await createCluster(stage());
    await accepted(magnum.createNodegroup('twice'));
    const event = magnum.deleteNodegroup('twice');
    const first = await stage().send(event);
    const record = await recordOf(stackId, 'twice');
    for (const repeated of [event, { ...event, id: `req-${randomUUID()}` }]) {
      expect((await stage().send(repeated)).data).toEqual(first.data);
    }
    expect(await recordOf(stackId, 'twice')).toEqual(record);
  });

  test('loses nothing when others are created and deleted at the same time', { timeout: 240_000 }, async () => {
    const cluster = await runningCluster('a', 'b', 'c');
    const { magnum, stackId } = cluster;
    const events = [
      ...['a', 'b'].map((name) => magnum.deleteNodegroup(name)),
      ...['d', 'e'].map((name) => magnum.createNodegroup(name)),
    ];
    await Promise.all(events.map(accepted));
    expect((await entries(stackId)).toSorted()).toEqual(['c', 'd', 'default-worker', 'e']);
    await waitForTopology(stage().api, stackId);
    await Promise.all(['a', 'b'].map((name) => untilGone(cluster, name)));
    const left = ['c', 'd', 'default-worker', 'e'].map((name) => `${stackId}-${name}`);
    await waitFor(async () => expect(groups(stackId)).toEqual(left), { what: 'the server groups to go' });
  });
});

describe('a nodegroup that is gone already', () => {
  test('is recorded as deleted, so that its end is reported', async () => {
    const cluster = await createCluster(stage());
    cluster.magnum.createNodegroup('never-made');
    const event = cluster.magnum.deleteNodegroup('never-made');
    expect(await accepted(event)).toBe(cluster.stackId);
    expect(await recordOf(cluster.stackId, 'never-made')).toMatchObject({ id: event.id, type: 'nodegroup.delete' });
    await untilGone(cluster, 'never-made');
  });

  test('is deleted for good under a name that cannot even be recorded', async () => {
    const { magnum, stackId } = await createCluster(stage());
    const name = 'Größe / 1';
    magnum.createNodegroup(name);
    expect(await accepted(magnum.deleteNodegroup(name))).toBe(stackId);
  });

  test('is deleted for good where the cluster is gone, or is going', async () => {
    const cluster = await createCluster(stage());
    const { magnum, stackId } = cluster;
    await accepted(magnum.createNodegroup('late'));
    await accepted(magnum.delete());
    expect(await accepted(magnum.deleteNodegroup('late'))).toBe(stackId);
    const other = { ...magnum.creation, subject: randomUUID() };
    const unknown = new (magnum.constructor as typeof import('../functions/magnum-cluster.ts').MagnumCluster)({
      ...other,
      data: { ...other.data, cluster: { ...other.data.cluster, uuid: other.subject } },
    });
    unknown.createNodegroup('lost');
    expect(await accepted(unknown.deleteNodegroup('lost'))).toBe('');
  });
});

describe('a nodegroup is not deleted', () => {
  test.each([
    ['that is the control plane', 'default-master', 'is the control plane'],
    ['that Magnum calls a default', 'default-worker', 'is a default nodegroup'],
  ])('%s', async (_title, name, words) => {
    const { magnum, stackId } = await createCluster(stage());
    const { data } = await stage().send(magnum.deleteNodegroup(name));
    expect(data).toMatchObject({ code: 'unsupported', message: expect.stringContaining(words) });
    expect(await entries(stackId)).toEqual(['default-worker']);
  });

  test('without a name', async () => {
    const { magnum } = await createCluster(stage());
    magnum.createNodegroup('');
    expect((await stage().send(magnum.deleteNodegroup(''))).data).toMatchObject({ field: 'nodegroup.name' });
  });
});
