import { addonBlockers, awaitsAddons } from './blockers/addon-blockers.ts';
import { controlPlaneBlockers, initializationBlockers } from './blockers/control-plane-blockers.ts';
import { firstOf } from './blockers/first-of.ts';
import { nodegroupBlockers } from './blockers/nodegroup-blockers.ts';
import { isRotation, rotationBlockers } from './blockers/rotation-blockers.ts';
import { beginningTopologyBlockers, infrastructureBlockers, topologyBlockers } from './blockers/topology-blockers.ts';
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
  const { cluster: own } = operations;
  if (blockers.length > 0 || own === null || !awaitsAddons(own)) return blockers;
  return firstOf(
    () => addonBlockers(state),
    () => (isRotation(own) ? rotationBlockers(state) : []),
  );
}

/** The same without the add-ons, which are read only when nothing else is missing. */
export function blockersBeforeAddons(state: ClusterState, cluster: ClusterView, operations: Operations): string[] {
  const concerns = (name: string) => operations.cluster === null || !hasNewerOperation(operations, name);
  const isMasterConcerned = concerns(masterNodegroup);
  const workers = cluster.nodegroups.map(({ name }) => name).filter(concerns);
  const topology = topologyBlockers(cluster);
  const groups = () => [
    ...(isMasterConcerned ? controlPlaneBlockers(state, cluster) : []),
    ...workers.flatMap((name) => nodegroupBlockers(state, cluster, name)),
  ];
  return firstOf(
    () => beginningTopologyBlockers(cluster),
    () => infrastructureBlockers(cluster),
    () => (isMasterConcerned ? initializationBlockers(state, cluster) : []),
    // A group that has nothing else left waits for the topology.
    () => groups().filter((blocker) => !topology.includes(blocker)),
    () => topology,
  );
}
