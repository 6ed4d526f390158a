import { deploymentOf } from './blockers/nodegroup-blockers.ts';
import type { ClusterState } from './cluster-state.ts';
import { masterNodegroup } from './master-nodegroup.ts';
import type { NodegroupReport } from './progress.ts';
import type { ClusterView } from './views/cluster-view.ts';

type NodegroupFacts = Pick<NodegroupReport, 'node_count' | 'node_addresses'>;

/** What Magnum shows of a nodegroup beside its status; one address a machine, sorted. */
export function nodegroupFacts(state: ClusterState, cluster: ClusterView, name: string): NodegroupFacts {
  const members = state.machines.filter(({ nodegroup }) => nodegroup === name);
  return {
    node_count: nodeCount(state, cluster, name),
    node_addresses: members.flatMap(({ address }) => address ?? []).toSorted(),
  };
}

/** Machines as wanted, not as they are: Magnum would take the latter for a request to scale. */
function nodeCount(state: ClusterState, cluster: ClusterView, name: string): number | null {
  if (name === masterNodegroup) return cluster.controlPlaneReplicas ?? state.controlPlane?.wanted ?? null;
  const entry = cluster.nodegroups.find((nodegroup) => nodegroup.name === name);
  if (entry === undefined) return null;
  // Without a number there, the autoscaler decides, and what it decided stands on the MachineDeployment.
  return entry.replicas ?? deploymentOf(state, name)?.wanted ?? null;
}
