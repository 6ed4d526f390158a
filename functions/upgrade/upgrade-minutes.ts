import type { LiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import { maximumSizeAnnotation } from '../../shared/render/nodegroup-metadata.ts';

/** Design §4, Deadlines. */
const minutesForMachine = 30;

/** Minutes within which an upgrade has to replace all machines; of an autoscaled nodegroup as many as it may have. */
export function upgradeMinutes({ spec: { topology } }: LiveCluster): number {
  const entries = topology.workers?.machineDeployments ?? [];
  const workers = entries.map(({ replicas, metadata }) => replicas ?? limit(metadata?.annotations));
  const machines = workers.reduce((sum, count) => sum + count, topology.controlPlane?.replicas ?? 1);
  return minutesForMachine * machines;
}

function limit(annotations: Readonly<Record<string, string>> = {}): number {
  const maximum = Number(annotations[maximumSizeAnnotation]);
  return Number.isSafeInteger(maximum) && maximum >= 0 ? maximum : 1;
}
