import { setTimeout as sleep } from 'node:timers/promises';
import { resources } from '../../shared/kubernetes/resources.ts';
import { makeClusterCertificates } from '../functions/cluster-certificates.ts';
import { callsInAuditLog } from './audit-log.ts';
import { clusterMaker } from './bench-cluster.ts';
import { deleteObjects, writeObjects } from './bench-objects.ts';
import { intentOf, nodegroupNames, nodegroupRows, readExampleData } from './example-intent.ts';
import { growthMeasurements, type Sample } from './growth-measurements.ts';
import type { Measurement } from './measurement.ts';
import { completedClusters } from './new-cluster.ts';
import { changeOf, post } from './post-change.ts';
import { objectsOf } from './render.ts';
import type { WatchStage } from './watch-stage.ts';

const sizes = [1, 10, 100] as const;
/** Clusters of each size; each gets one event that counts. */
const clusters = 5;
/** Renders of each size, and those before them that do not count. */
const renders = { warmUps: 20, counted: 31 } as const;
/** Milliseconds until the events of a cluster are no longer gathered. */
const quiet = 1_500;

/** Time and calls of a status event by the number of nodegroups, each with one machine. */
export async function measureNodegroupStatus({ api, functions, controlPlane }: WatchStage): Promise<Measurement[]> {
  const make = await clusterMaker();
  const { url } = functions.get('status');
  const samples: Sample[] = [];
  for (const count of sizes) {
    const all = completedClusters(clusters, nodegroupNames(count));
    await writeObjects(api, all.flatMap(make));
    for (const { stackId } of all) await post(url, changeOf(resources.cluster, stackId));
    await sleep(quiet);
    for (const { stackId } of all) {
      const before = await callsInAuditLog(controlPlane.auditLogPath, 'status');
      const startedAt = performance.now();
      await post(url, changeOf(resources.cluster, stackId));
      const duration = performance.now() - startedAt;
      const after = await callsInAuditLog(controlPlane.auditLogPath, 'status');
      samples.push({ count, duration, calls: after.work - before.work });
    }
  }
  await deleteObjects(api);
  return growthMeasurements({ what: 'status event', of: 'nodegroups', samples });
}

/** Time from an event's data to the objects of a cluster by the number of nodegroups. */
export async function measureNodegroupRender(): Promise<Measurement[]> {
  const certificates = await makeClusterCertificates('bench');
  const data = await readExampleData('cluster-create-full.json');
  const samples = sizes.flatMap((count): Sample[] => {
    const nodegroups = nodegroupRows(data, nodegroupNames(count));
    const render = () => objectsOf(intentOf({ ...data, nodegroups }, certificates));
    for (let round = 0; round < renders.warmUps; round += 1) render();
    return Array.from({ length: renders.counted }, () => {
      const startedAt = performance.now();
      render();
      return { count, duration: performance.now() - startedAt };
    });
  });
  return growthMeasurements({ what: 'event data → objects', of: 'nodegroups', samples });
}
