import { addonBlockers, awaitsAddons } from './blockers/addon-blockers.ts';
import { controlPlaneBlockers } from './blockers/control-plane-blockers.ts';
import { nodegroupBlockers } from './blockers/nodegroup-blockers.ts';
import { infrastructureBlockers, topologyBlockers } from './blockers/topology-blockers.ts';
import type { ClusterState } from './cluster-state.ts';
import { masterNodegroup } from './master-nodegroup.ts';
import { hasNewerOperation, type Operations } from './operations.ts';
import type { ClusterView } from './views/cluster-view.ts';

/**
 * What keeps the cluster's own operation from being complete. A nodegroup with a newer operation of its own does not: that
 * one is judged by itself.
 */
export function clusterBlockers(state: ClusterState, cluster: ClusterView, operations: Operations): string[] {
  const blockers = blockersBeforeAddons(state, cluster, operations);
  if (blockers.length > 0 || operations.cluster === null || !awaitsAddons(operations.cluster)) return blockers;
  return addonBlockers(state);
}

/** The same without the add-ons, which are read only when nothing else is missing. */
export function blockersBeforeAddons(state: ClusterState, cluster: ClusterView, operations: Operations): string[] {
  const concerns = (name: string) => operations.cluster === null || !hasNewerOperation(operations, name);
  return [
    ...topologyBlockers(cluster),
    ...infrastructureBlockers(cluster),
    ...(concerns(masterNodegroup) ? controlPlaneBlockers(state, cluster) : []),
    ...cluster.nodegroups
      .map(({ name }) => name)
      .filter(concerns)
      .flatMap((name) => nodegroupBlockers(state, cluster, name)),
  ];
}
