import type { ClusterState } from '../cluster-state.ts';
import { sentence } from '../reason/sentence.ts';
import type { ClusterView } from '../views/cluster-view.ts';
import type { MachineOwner } from '../views/machine-owner.ts';
import { firstOf } from './first-of.ts';
import { membershipBlockers } from './membership-blockers.ts';
import { beginningBlockers, endBlockers } from './owner-blockers.ts';
import { topologyBlockers } from './topology-blockers.ts';

/** What keeps a nodegroup of workers from being what its entry in the topology wants, and the topology from being the latest. */
export function nodegroupBlockers(state: ClusterState, cluster: ClusterView, name: string): string[] {
  const subject = `Nodegroup ${name}`;
  const { version } = cluster;
  const entry = cluster.nodegroups.find((nodegroup) => nodegroup.name === name);
  if (entry === undefined) return [sentence(`${subject} is not in the topology of the cluster`)];
  const deployment = deploymentOf(state, name);
  if (deployment === undefined) return [sentence(`${subject} has no MachineDeployment yet`)];
  // Where the autoscaler decides, what it asked for last.
  const target = { subject, version, replicas: entry.replicas ?? deployment.wanted };
  const members = state.machines.filter(({ nodegroup }) => nodegroup === name);
  return firstOf(
    () => beginningBlockers(deployment, target),
    () => membershipBlockers({ ...target, members, servers: state.openStackServers }),
    () => endBlockers(deployment, target),
    () => topologyBlockers(cluster),
  );
}

/** The nodegroup's MachineDeployment; one that stays over one that goes. */
export function deploymentOf({ machineDeployments }: ClusterState, name: string): MachineOwner | undefined {
  const deployments = machineDeployments.filter(({ nodegroup }) => nodegroup === name);
  return deployments.find(({ isDeleting }) => !isDeleting) ?? deployments[0];
}
