import { randomUUID } from 'node:crypto';
import { openRecord } from '../../shared/kubernetes/operation-record.ts';
import { stackId } from '../../shared/magnum/stack-id.ts';
import type { BenchCluster } from './bench-cluster.ts';

/** Clusters whose creation is still open as far as Magnum knows. */
export function openClusters(count: number, state: BenchCluster['state']): BenchCluster[] {
  return Array.from({ length: count }, () => newCluster({ state }));
}

/** Clusters of which nothing is left to do or to say; `nodegroups` are their workers'. */
export function completedClusters(count: number, nodegroups?: readonly string[]): BenchCluster[] {
  const options = { state: 'complete', completed: new Date().toISOString() } as const;
  return Array.from({ length: count }, () =>
    newCluster(nodegroups === undefined ? options : { ...options, nodegroups }),
  );
}

interface Options extends Pick<BenchCluster, 'state' | 'nodegroups'> {
  readonly completed?: string;
}

function newCluster({ completed, ...rest }: Options): BenchCluster {
  const uuid = randomUUID();
  const opened = openRecord({ id: randomUUID(), time: new Date().toISOString() }, 'cluster.create', 60);
  const operation = completed === undefined ? opened : { ...opened, completed };
  return { stackId: stackId(uuid, 0), uuid, operation, ...rest };
}
