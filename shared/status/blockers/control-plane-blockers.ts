import type { ClusterState } from '../cluster-state.ts';
import { masterNodegroup } from '../master-nodegroup.ts';
import { because, sentence } from '../reason/sentence.ts';
import type { ClusterView } from '../views/cluster-view.ts';
import { conditionOf, isConditionTrue } from '../views/condition.ts';
import { firstOf } from './first-of.ts';
import { machineDetails, membershipBlockers, named } from './membership-blockers.ts';
import { beginningBlockers, endBlockers } from './owner-blockers.ts';
import { topologyBlockers } from './topology-blockers.ts';

const subject = 'The control plane';

/** What keeps the control plane from being what the topology wants, and the topology from being the latest. */
export function controlPlaneBlockers(state: ClusterState, cluster: ClusterView): string[] {
  // Where any of them shows, the KubeadmControlPlane was not worth reading.
  return firstOf(
    () => visibleControlPlaneBlockers(state, cluster),
    () => objectBlockers(state, cluster),
  );
}

/** Those that show without the KubeadmControlPlane. */
export function visibleControlPlaneBlockers(state: ClusterState, cluster: ClusterView): string[] {
  const membership = { ...membersOf(state, cluster), subject, replicas: cluster.controlPlaneReplicas };
  return firstOf(
    () => initializationBlockers(state, cluster),
    () =>
      membership.replicas === null && machineDetails(membership).length === 0 ? [] : membershipBlockers(membership),
    () => availabilityBlockers(cluster),
    () => topologyBlockers(cluster),
  );
}

/** What keeps the cluster from having an API; the workers wait for that too. */
export function initializationBlockers(state: ClusterState, cluster: ClusterView): string[] {
  const initialized = conditionOf(cluster.conditions, 'ControlPlaneInitialized');
  if (initialized?.status === 'True') return [];
  const details = machineDetails(membersOf(state, cluster));
  const waiting = `${subject} is not initialized`;
  return [details.length > 0 ? sentence(waiting, named(details)) : because(waiting, initialized)];
}

function availabilityBlockers({ conditions }: ClusterView): string[] {
  if (isConditionTrue(conditions, 'ControlPlaneAvailable')) return [];
  return [because(`${subject} is not available`, conditionOf(conditions, 'ControlPlaneAvailable'))];
}

function membersOf({ machines, openStackServers: servers }: ClusterState, { version }: ClusterView) {
  return { members: machines.filter(({ nodegroup }) => nodegroup === masterNodegroup), version, servers };
}

function objectBlockers({ controlPlane }: ClusterState, cluster: ClusterView): string[] {
  if (controlPlane === undefined) return [sentence(`${subject} is not checked in full yet`)];
  if (controlPlane === null) return [sentence(`${subject} does not exist yet`)];
  const target = { subject, version: cluster.version, replicas: cluster.controlPlaneReplicas ?? controlPlane.wanted };
  return firstOf(
    () => beginningBlockers(controlPlane, target),
    () => endBlockers(controlPlane, target),
  );
}
