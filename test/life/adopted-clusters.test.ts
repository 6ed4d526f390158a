import { describe, expect, test } from 'vitest';
import { resources } from '../../shared/kubernetes/resources.ts';
import { clusterNameLabel, managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { StatusReport } from '../../shared/status/progress.ts';
import { adoptionOfFile } from '../adoption/adoption-of-file.ts';
import { storeInV1beta1 } from '../adoption/old-storage.ts';
import { OriginalCluster } from '../adoption/original-cluster.ts';
import { rollOut, workloadCloudConf, workloadsOf } from '../adoption/workloads.ts';
import { waitFor } from '../env/wait-for.ts';
import type { ClusterChanges } from '../functions/create-event.ts';
import type { ExampleEvent } from '../functions/example-event.ts';
import type { MagnumCluster } from '../functions/magnum-cluster.ts';
import { expectNothingLeft } from '../functions/traces.ts';
import { waitForEnd } from '../system/operation-end.ts';
import { statusOf } from '../system/report-log.ts';
import { type MachineUids, machineUids } from './machine-uids.ts';

const stage = adoptionOfFile();

/** Milliseconds for each operation on a busy machine. */
const patience = 480_000;
const versions = ['v1.33.4', 'v1.34.1'] as const;

/** Carries out an operation and waits for the report of its end. */
async function done(cluster: OriginalCluster, event: ExampleEvent, status = 'UPDATE_COMPLETE'): Promise<StatusReport> {
  const { stackId } = cluster;
  expect(await stage().operate(event)).toBe(stackId);
  // A Cluster that goes takes its records with it.
  const isDeletion = status.startsWith('DELETE');
  if (!isDeletion) await waitForEnd(stage(), { stackId, events: [event], timeout: patience });
  const matches = (report: StatusReport) => statusOf(report) === status;
  return stage().reports.status(stackId, { what: status, matches, timeout: patience });
}

async function adopted(changes: ClusterChanges = {}): Promise<[OriginalCluster, MagnumCluster]> {
  const cluster = await OriginalCluster.create(stage(), changes);
  await cluster.synchronised('CREATE_COMPLETE');
  await cluster.reportedComplete();
  return [cluster, await cluster.handOver()];
}

async function deleted(cluster: OriginalCluster, magnum: MagnumCluster): Promise<void> {
  await done(cluster, magnum.delete(), 'DELETE_COMPLETE');
  await expectNothingLeft(stage(), cluster);
}

function uidsOf({ stackId }: OriginalCluster): Promise<MachineUids> {
  return machineUids(stage().kubernetes, stackId);
}

/** Earlier releases of the original wrote it where a nodegroup has no zone, and Cluster API passed it on. */
async function emptyFailureDomain({ stackId }: OriginalCluster): Promise<void> {
  const labelSelector = `${clusterNameLabel}=${stackId}`;
  for (const type of [resources.machineDeployment, machineSet]) {
    const objects = await stage().kubernetes.list(type, { namespace, labelSelector });
    for (const { metadata } of objects) {
      await storeInV1beta1(stage(), { plural: type.plural, name: metadata?.name ?? '' }, (object) => {
        Object(object['spec']).template.spec.failureDomain = '';
      });
    }
  }
  await storeInV1beta1(stage(), { plural: resources.cluster.plural, name: stackId }, (object) => {
    Object(object['spec']).topology.workers.machineDeployments[0].failureDomain = '';
  });
}

const machineSet = { ...resources.machineDeployment, kind: 'MachineSet', plural: 'machinesets' };

interface FirstOperation {
  readonly name: string;
  readonly changes?: ClusterChanges;
  readonly event: (magnum: MagnumCluster) => ExampleEvent;
  /** How many machines come. */
  readonly masters?: number;
  readonly workers?: number;
}

const operations: readonly FirstOperation[] = [
  { name: 'to get three masters', event: (magnum) => magnum.resize('default-master', 3), masters: 2 },
  {
    name: 'to get another nodegroup',
    event: (magnum) => magnum.createNodegroup('gpu', { node_count: 1 }),
    workers: 1,
  },
  {
    name: 'to get other limits for a nodegroup',
    event: (magnum) => magnum.updateNodegroup('default-worker', { min_node_count: 1, max_node_count: 4 }),
  },
];

describe.each(operations)('a cluster of the original is asked first $name:', (operation) => {
  test('no machine is rebuilt, and it goes without a trace', async () => {
    const { masters = 0, workers = 0 } = operation;
    const [cluster, magnum] = await adopted({ labels: { kube_tag: versions[0] }, ...operation.changes });
    const before = await uidsOf(cluster);
    const installed = await workloadsOf(stage(), cluster.stackId);
    expect(installed.length).toBeGreaterThan(3);
    await done(cluster, operation.event(magnum));
    const after = await uidsOf(cluster);
    expect(after.masters).toEqual([...before.masters, ...Array(masters).fill(expect.any(String))]);
    expect(after.workers).toEqual([...before.workers, ...Array(workers).fill(expect.any(String))]);
    // Only an upgrade takes over what the original has installed.
    expect(await workloadsOf(stage(), cluster.stackId)).toEqual(installed);
    for (const name of [cluster.uuid, `${cluster.stackId}-cloud-provider`]) {
      expect(await stage().kubernetes.find(resources.clusterResourceSet, { namespace, name })).toBeDefined();
    }
    await deleted(cluster, magnum);
  });
});

describe('a nodegroup of the original', () => {
  test('that an older Cluster API stored with an empty failure domain grows, and its machine stays', async () => {
    const [cluster, magnum] = await adopted();
    await emptyFailureDomain(cluster);
    const before = await uidsOf(cluster);
    await done(cluster, magnum.resize('default-worker', 2));
    const after = await uidsOf(cluster);
    expect(after).toEqual({ masters: before.masters, workers: [...before.workers, expect.any(String)] });
    await deleted(cluster, magnum);
  });

  test('goes alone, with its server group', async () => {
    const cluster = await OriginalCluster.create(stage());
    await cluster.synchronised('CREATE_COMPLETE');
    await cluster.order('create_nodegroup', { nodegroup: cluster.nodegroup('extra') });
    await cluster.synchronised('UPDATE_COMPLETE');
    const magnum = await cluster.handOver();
    const before = await uidsOf(cluster);
    const report = await done(cluster, magnum.deleteNodegroup('extra'));
    const extra = report.nodegroups.find(({ name }) => name === 'extra');
    expect(extra).toMatchObject({ action: 'DELETE', state: 'COMPLETE' });
    const after = await uidsOf(cluster);
    expect(after.masters).toEqual(before.masters);
    expect(after.workers).toEqual(before.workers.slice(0, 1));
    const groups = stage().cloud.state.serverGroups.map(({ name }) => name);
    expect(groups.filter((name) => name.includes('extra'))).toEqual([]);
    await deleted(cluster, magnum);
  });
});

describe('a cluster of the original that scales itself', () => {
  const labels = { auto_scaling_enabled: 'true', min_node_count: '1', max_node_count: '3' };

  test('gets other limits, and goes with its autoscaler', async () => {
    const [cluster, magnum] = await adopted({ labels, workers: { min_node_count: 1, max_node_count: 3 } });
    const before = await uidsOf(cluster);
    await done(cluster, magnum.updateNodegroup('default-worker', { min_node_count: 1, max_node_count: 5 }));
    expect(await uidsOf(cluster)).toEqual(before);
    await deleted(cluster, magnum);
  });
});

describe('another credential for a cluster of the original', () => {
  test('gets into its workload through the resource set that is there, and no machine is rebuilt', async () => {
    const [cluster, magnum] = await adopted();
    const { cloud, reports } = stage();
    const before = await uidsOf(cluster);
    const installed = await workloadsOf(stage(), cluster.stackId);
    const token = cloud.issueToken({ user: 'demo', project: 'demo' });
    const userId = cloud.state.users.find(({ name }) => name === 'demo')?.id ?? '';
    await stage().operate(magnum.rotateCredential({ token, userId }));
    const ended = async () => {
      await rollOut(stage(), cluster.stackId);
      // The resync would ask as well, every five minutes.
      await stage().send('status', magnum.requestStatus('UPDATE_COMPLETE'));
      const last = reports.statuses(cluster.stackId).at(-1);
      if (last === undefined || statusOf(last) !== 'UPDATE_COMPLETE') throw new Error(JSON.stringify(last));
    };
    await waitFor(ended, { what: 'the end of the rotation', timeout: patience, interval: 1_000 });
    const credentials = cloud.state.applicationCredentials.filter(({ name }) => name.startsWith(cluster.uuid));
    expect(credentials).toHaveLength(1);
    expect(await workloadCloudConf(stage(), cluster.stackId)).toContain(credentials[0]?.id);
    expect(await uidsOf(cluster)).toEqual(before);
    expect(await workloadsOf(stage(), cluster.stackId)).toEqual(installed);
    await deleted(cluster, magnum);
  });
});

describe('an upgrade of a cluster of the original', () => {
  test('replaces every machine once, and brings add-ons of its own in place of those that run', async () => {
    const [cluster, magnum] = await adopted({ labels: { kube_tag: versions[0] } });
    const before = await uidsOf(cluster);
    const installed = await workloadsOf(stage(), cluster.stackId);
    const report = await done(cluster, magnum.upgrade(versions[1]));
    expect(report.coe_version).toBe(versions[1]);
    const after = await uidsOf(cluster);
    expect([after.masters.length, after.workers.length]).toEqual([1, 1]);
    expect([...after.masters, ...after.workers]).not.toEqual(
      expect.arrayContaining([...before.masters, ...before.workers]),
    );
    // What could be changed in place was; StorageClasses that bind at once cannot be.
    const isClass = (line: string) => line.includes('/storageclasses/');
    const nameOf = (line: string) => line.slice(0, line.indexOf(' '));
    const now = await workloadsOf(stage(), cluster.stackId);
    expect(now).toEqual(expect.arrayContaining(installed.filter((line) => !isClass(line))));
    expect(now.map(nameOf)).toEqual(expect.arrayContaining(installed.map(nameOf)));
    for (const name of [cluster.uuid, `${cluster.stackId}-cloud-provider`]) {
      expect(await stage().kubernetes.find(resources.clusterResourceSet, { namespace, name })).toBeUndefined();
      expect(await stage().kubernetes.find(resources.secret, { namespace, name })).toBeUndefined();
    }
    const { applicationCredentials } = stage().cloud.state;
    const credential = applicationCredentials.find(({ name }) => name.startsWith(cluster.uuid));
    expect(await workloadCloudConf(stage(), cluster.stackId)).toContain(credential?.id);
    await deleted(cluster, magnum);
  });
});
