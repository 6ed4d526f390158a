import { type ClusterWork, resourceName, statusOf } from './cluster-draft.ts';
import { findLoadBalancer } from './cluster-endpoint.ts';
import { clusterNameLabel } from './infrastructure-objects.ts';
import { removeFinalizer } from './object-draft.ts';

/** Removes what belongs to the cluster, after its machines; the result is when to look again (reconcileDelete). */
export async function deleteCluster(work: ClusterWork, finalizer: string): Promise<number | undefined> {
  const { context, cluster, draft } = work;
  const { namespace, name } = cluster.metadata;
  const machines = context.stores.machine.list().filter(({ metadata }) => {
    return metadata.namespace === namespace && metadata.labels?.[clusterNameLabel] === name;
  });
  if (machines.length > 0) return context.wait(5);
  if (draft.spec.apiServerLoadBalancer?.enabled === true && !deleteLoadBalancer(work)) return context.wait(15);
  if ((draft.spec.managedSubnets ?? []).length > 0) deleteNetwork(work);
  deleteSecurityGroups(work);
  removeFinalizer(draft, finalizer);
  await context.workloads.stop(name);
  return undefined;
}

/** Whether there is none any more; CAPO waits once even after the deletion itself. */
function deleteLoadBalancer(work: ClusterWork): boolean {
  const { context, cluster, draft } = work;
  const balancer = findLoadBalancer(work);
  if (balancer === undefined) return true;
  const { state, events, faults } = context;
  if (balancer.provisioningStatus === 'PENDING_DELETE') {
    if (faults.find('slow-deletion', { cluster: cluster.metadata.name }) !== undefined) return false;
    state.loadBalancers = state.loadBalancers.filter(({ id }) => id !== balancer.id);
    return true;
  }
  const { ip = '' } = statusOf(draft).apiServerLoadBalancer ?? {};
  if (ip !== '') {
    events.normal(draft, 'SuccessfulDisassociateFloatingIP', `Disassociated floating IP ${ip}`);
    events.normal(draft, 'SuccessfulDeleteFloatingIP', `Deleted floating IP ${ip}`);
  }
  balancer.provisioningStatus = 'PENDING_DELETE';
  const message = `Deleted load balancer ${balancer.name} with id ${balancer.id}`;
  events.normal(draft, 'SuccessfulDeleteLoadBalancer', message);
  return false;
}

function deleteNetwork({ context, cluster, draft, projectId }: ClusterWork): void {
  const { state, events } = context;
  const { router } = statusOf(draft);
  if (router !== undefined) {
    events.normal(draft, 'SuccessfulDeleteRouter', `Deleted router ${router.name} with id ${router.id}`);
  }
  const name = resourceName(cluster);
  const network = state.networks.find((candidate) => candidate.name === name && candidate.projectId === projectId);
  if (network === undefined) return;
  state.subnets = state.subnets.filter(({ networkId }) => networkId !== network.id);
  state.networks = state.networks.filter(({ id }) => id !== network.id);
  events.normal(draft, 'SuccessfulDeleteNetwork', `Deleted network ${name} with id ${network.id}`);
}

function deleteSecurityGroups({ context, draft }: ClusterWork): void {
  const { controlPlaneSecurityGroup, workerSecurityGroup } = statusOf(draft);
  for (const group of [controlPlaneSecurityGroup, workerSecurityGroup]) {
    if (group === undefined) continue;
    const message = `Deleted security group ${group.name} with id ${group.id}`;
    context.events.normal(draft, 'SuccessfulDeleteSecurityGroup', message);
  }
}
