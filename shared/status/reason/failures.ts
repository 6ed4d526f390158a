import type { ClusterState } from '../cluster-state.ts';
import { masterNodegroup } from '../master-nodegroup.ts';
import { type Condition, conditionOf, isFault } from '../views/condition.ts';
import type { MachineOwner } from '../views/machine-owner.ts';
import type { Finding } from './finding.ts';
import { machineFailures } from './machine-failures.ts';
import { plainText } from './sentence.ts';

/** Everything that is seen to go wrong. */
export function failures(state: ClusterState): Finding[] {
  return [
    ...machineFailures(state),
    ...infrastructureFailures(state),
    ...topologyFailures(state),
    ...controlPlaneFailures(state),
    ...state.machineDeployments.flatMap(deploymentFailures),
  ];
}

/** CAPO's conditions of the OpenStackCluster, and what Cluster API mirrors of them on the Cluster. */
function infrastructureFailures({ cluster, openStackCluster }: ClusterState): Finding[] {
  const subject = 'The infrastructure of the cluster';
  const mirrored = conditionOf(cluster?.conditions ?? [], 'InfrastructureReady');
  // While a cluster goes, Cluster API only says that the OpenStackCluster went.
  const isNews = mirrored !== undefined && cluster?.isDeleting !== true;
  const conditions = [...(openStackCluster?.conditions ?? []), ...(isNews ? [mirrored] : [])];
  const findings = conditions.filter(isTelling).map((condition) => found(subject, condition, null));
  const message = openStackCluster?.failureMessage ?? null;
  const all = message === null ? findings : [...findings, { subject, message, nodegroup: null, at: null }];
  return all.map((finding) => ({ ...finding, concernsAll: true }));
}

function topologyFailures({ cluster }: ClusterState): Finding[] {
  const condition = conditionOf(cluster?.conditions ?? [], 'TopologyReconciled');
  if (condition === undefined || !isTelling(condition)) return [];
  return [{ ...found('The topology', condition, null), concernsAll: true }];
}

const controlPlaneConditions = ['CertificatesAvailable', 'EtcdClusterHealthy', 'ControlPlaneComponentsHealthy'];

function controlPlaneFailures({ controlPlane }: ClusterState): Finding[] {
  const conditions = controlPlane?.conditions ?? [];
  return conditions
    .filter(
      (condition) => isBlocked(condition) || (controlPlaneConditions.includes(condition.type) && isTelling(condition)),
    )
    .map((condition) => found('The control plane', condition, masterNodegroup));
}

function deploymentFailures({ conditions, name, nodegroup }: MachineOwner): Finding[] {
  const subject = nodegroup === null ? `MachineDeployment ${name}` : `Nodegroup ${nodegroup}`;
  return conditions.filter(isBlocked).map((condition) => found(subject, condition, nodegroup));
}

/** Cluster API says so where a template is missing. */
function isBlocked({ type, status, message }: Condition): boolean {
  return type === 'ScalingUp' && status === 'True' && message.includes('blocked');
}

function isTelling(condition: Condition): boolean {
  return isFault(condition) && plainText(condition.message) !== '';
}

function found(subject: string, { message, since }: Condition, nodegroup: string | null): Finding {
  return { subject, message, nodegroup, at: since };
}
