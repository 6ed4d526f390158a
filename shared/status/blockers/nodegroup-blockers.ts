import type { ClusterState } from '../cluster-state.ts';
import { sentence } from '../reason/sentence.ts';
import type { ClusterView } from '../views/cluster-view.ts';
import type { MachineOwner } from '../views/machine-owner.ts';
import { machineBlockers } from './machine-blockers.ts';
import { ownerBlockers } from './owner-blockers.ts';
import { topologyBlockers } from './topology-blockers.ts';

/** What keeps a nodegroup of workers from being what its entry in the topology wants, and the topology from being the latest. */
export function nodegroupBlockers(state: ClusterState, cluster: ClusterView, name: string): string[] {
  const subject = `Nodegroup ${name}`;
  const entry = cluster.nodegroups.find((nodegroup) => nodegroup.name === name);
  if (entry === undefined) return [sentence(`${subject} is not in the topology of the cluster`)];
  const topology = topologyBlockers(cluster);
  const deployment = deploymentOf(state, name);
  if (deployment === undefined) return [sentence(`${subject} has no MachineDeployment yet`), ...topology];
  // Where the autoscaler decides, what it asked for last.
  const replicas = entry.replicas ?? deployment.wanted;
  return [
    ...ownerBlockers(deployment, { subject, version: cluster.version, replicas }),
    ...membershipBlockers(state, cluster, { name, replicas }),
    ...topology,
  ];
}

/** The nodegroup's MachineDeployment; one that stays over one that goes. */
export function deploymentOf({ machineDeployments }: ClusterState, name: string): MachineOwner | undefined {
  const deployments = machineDeployments.filter(({ nodegroup }) => nodegroup === name);
  return deployments.find(({ isDeleting }) => !isDeleting) ?? deployments[0];
}

function membershipBlockers(
  { machines }: ClusterState,
  { version }: ClusterView,
  { name, replicas }: { readonly name: string; readonly replicas: number | null },
): string[] {
  const members = machines.filter(({ nodegroup }) => nodegroup === name);
  const blockers = members.flatMap((machine) => machineBlockers(machine, version));
  if (blockers.length > 0 || members.length === replicas) return blockers;
  return [sentence(`Nodegroup ${name} has ${members.length} of ${replicas ?? 'some'} machines`)];
}
