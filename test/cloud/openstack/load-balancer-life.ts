import type { CloudState, LoadBalancer } from './state.ts';

export function isPending({ provisioningStatus }: LoadBalancer): boolean {
  return provisioningStatus.startsWith('PENDING_');
}

/**
 * Counts one look at a load balancer: after its `pendingLooks`, what is PENDING becomes ACTIVE, or is gone. Whether it is
 * still there.
 */
export function lookAt(state: CloudState, balancer: LoadBalancer): boolean {
  if (!isPending(balancer) || balancer.pendingLooks === undefined) return true;
  if (balancer.pendingLooks > 0) {
    balancer.pendingLooks -= 1;
    return true;
  }
  delete balancer.pendingLooks;
  const isDeletion = balancer.provisioningStatus === 'PENDING_DELETE';
  if (isDeletion) vanish(state, balancer);
  else balancer.provisioningStatus = 'ACTIVE';
  return !isDeletion;
}

/** Deletes as Octavia does: PENDING_DELETE for the state's `loadBalancerDeletionLooks`. */
export function remove(state: CloudState, balancer: LoadBalancer): void {
  balancer.provisioningStatus = 'PENDING_DELETE';
  balancer.pendingLooks = state.loadBalancerDeletionLooks;
  if (balancer.pendingLooks === 0) vanish(state, balancer);
}

/** The port of its address goes with it. A floating IP on that port stays in the project, and leads nowhere. */
function vanish(state: CloudState, balancer: LoadBalancer): void {
  state.loadBalancers = state.loadBalancers.filter(({ id }) => id !== balancer.id);
  for (const floatingIp of state.floatingIps) {
    if (floatingIp.portId === balancer.vipPortId) floatingIp.portId = null;
  }
}
