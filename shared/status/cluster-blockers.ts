import type { OperationRecord } from '../kubernetes/operation-record.ts';
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
import { isConditionTrue } from './views/condition.ts';

/**
 * What keeps the cluster's own operation from being complete. A nodegroup with a newer operation of its own does not: that
 * one is judged by itself.
 */
export function clusterBlockers(state: ClusterState, cluster: ClusterView, operations: Operations): string[] {
  const { cluster: own } = operations;
  const others = otherBlockers(state, cluster, operations);
  if (own === null || !isTurnOfAddons(own, state, others)) return others;
  return firstOf(
    // Nodes are not ready without a network, so what keeps the add-ons comes before them.
    () => [...addonBlockers(state), ...others],
    () => (isRotation(own) ? rotationBlockers(state) : []),
  );
}

/** Whether it matters which add-ons are applied. */
export function areAddonsDue(state: ClusterState, cluster: ClusterView, operations: Operations): boolean {
  const { cluster: own } = operations;
  return own !== null && isTurnOfAddons(own, state, otherBlockers(state, cluster, operations));
}

/**
 * While a cluster is created, from the moment on in which its API can take them and no machine waits for a server, which they
 * do not help; else when nothing but them is missing.
 */
function isTurnOfAddons(own: OperationRecord, { cluster, machines }: ClusterState, others: readonly string[]): boolean {
  if (!awaitsAddons(own)) return false;
  if (others.length === 0) return true;
  const canTake = cluster !== null && isConditionTrue(cluster.conditions, 'ControlPlaneInitialized');
  const haveServers = machines.every(({ conditions }) => isConditionTrue(conditions, 'InfrastructureReady'));
  return own.type === 'cluster.create' && canTake && haveServers;
}

/** The same without the add-ons. */
function otherBlockers(state: ClusterState, cluster: ClusterView, operations: Operations): string[] {
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
