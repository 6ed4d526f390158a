import type { ClusterState } from './cluster-state.ts';
import { masterNodegroup } from './master-nodegroup.ts';
import type { ClusterView } from './views/cluster-view.ts';

/**
 * The Kubernetes version that runs, Magnum's `coe_version`: during an upgrade the lowest of the control plane's machines, so
 * that it rises when the last API server has risen. Before there is a machine, the one that is to come.
 */
export function runningVersion({ machines }: ClusterState, { version }: ClusterView): string | null {
  const running = machines.flatMap((machine) =>
    machine.nodegroup === masterNodegroup && machine.version !== null ? [machine.version] : [],
  );
  return running.toSorted(byVersion)[0] ?? version;
}

/** Numbers by their value, so that v1.9.0 comes before v1.10.0. */
function byVersion(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
