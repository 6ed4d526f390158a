import type { ClusterState } from '../cluster-state.ts';
import { masterNodegroup } from '../master-nodegroup.ts';
import { because, sentence } from '../reason/sentence.ts';
import type { ClusterView } from '../views/cluster-view.ts';
import { conditionOf, isConditionTrue } from '../views/condition.ts';
import { machineBlockers } from './machine-blockers.ts';
import { ownerBlockers } from './owner-blockers.ts';
import { topologyBlockers } from './topology-blockers.ts';

const subject = 'The control plane';

/** What keeps the control plane from being what the topology wants, and the topology from being the latest. */
export function controlPlaneBlockers(state: ClusterState, cluster: ClusterView): string[] {
  const visible = visibleControlPlaneBlockers(state, cluster);
  // Where any of them shows, the KubeadmControlPlane was not worth reading.
  return visible.length > 0 && state.controlPlane === undefined
    ? visible
    : [...visible, ...objectBlockers(state, cluster)];
}

/** Those that show without the KubeadmControlPlane. */
export function visibleControlPlaneBlockers(state: ClusterState, cluster: ClusterView): string[] {
  return [...availabilityBlockers(cluster), ...membershipBlockers(state, cluster), ...topologyBlockers(cluster)];
}

function availabilityBlockers({ conditions }: ClusterView): string[] {
  const initialized = conditionOf(conditions, 'ControlPlaneInitialized');
  if (initialized?.status !== 'True') return [because(`${subject} is not initialized`, initialized)];
  if (isConditionTrue(conditions, 'ControlPlaneAvailable')) return [];
  return [because(`${subject} is not available`, conditionOf(conditions, 'ControlPlaneAvailable'))];
}

function membershipBlockers({ machines }: ClusterState, cluster: ClusterView): string[] {
  const members = machines.filter(({ nodegroup }) => nodegroup === masterNodegroup);
  const blockers = members.flatMap((machine) => machineBlockers(machine, cluster.version));
  const wanted = cluster.controlPlaneReplicas;
  if (blockers.length > 0 || wanted === null || members.length === wanted) return blockers;
  return [sentence(`${subject} has ${members.length} of ${wanted} machines`)];
}

function objectBlockers({ controlPlane }: ClusterState, cluster: ClusterView): string[] {
  if (controlPlane === undefined) return [sentence(`${subject} is not checked in full yet`)];
  if (controlPlane === null) return [sentence(`${subject} does not exist yet`)];
  const replicas = cluster.controlPlaneReplicas ?? controlPlane.wanted;
  return ownerBlockers(controlPlane, { subject, version: cluster.version, replicas });
}
