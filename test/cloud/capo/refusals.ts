import { ApiError } from '../openstack/api.ts';
import type { CapoContext } from './capo-context.ts';
import type { InfrastructurePart } from './fault-rules.ts';
import { requestError } from './request-error.ts';

type Part = Exclude<InfrastructurePart, 'load-balancer-not-active'>;

/** gophercloud takes 201 and 202 for a POST, 200 for a GET. */
const requests = {
  'external-network': { service: 'network', method: 'GET', path: '/networks?router%3Aexternal=true', expected: [200] },
  network: { service: 'network', method: 'POST', path: '/networks', expected: [201, 202] },
  subnet: { service: 'network', method: 'POST', path: '/subnets', expected: [201, 202] },
  router: { service: 'network', method: 'POST', path: '/routers', expected: [201, 202] },
  'security-groups': { service: 'network', method: 'POST', path: '/security-groups', expected: [201, 202] },
  'load-balancer': { service: 'load-balancer', method: 'POST', path: '/lbaas/loadbalancers', expected: [201, 202] },
  'floating-ip': { service: 'network', method: 'POST', path: '/floatingips', expected: [201, 202] },
} as const;

/** In the services' own words, for the quota of each. */
const refusals: Readonly<Record<Part, { readonly status: number; readonly message: string; readonly type: string }>> = {
  'external-network': { status: 503, message: 'Service Unavailable', type: 'HTTPServiceUnavailable' },
  network: overQuota('network'),
  subnet: overQuota('subnet'),
  router: overQuota('router'),
  'security-groups': overQuota('security_group'),
  'load-balancer': { status: 403, message: 'Quota has been met for resources: Load Balancer', type: '' },
  'floating-ip': overQuota('floatingip'),
};

function overQuota(resource: string): { readonly status: number; readonly message: string; readonly type: string } {
  return { status: 409, message: `Quota exceeded for resources: ['${resource}'].`, type: 'OverQuota' };
}

/** @throws Error with what CAPO would get, where a fault lets that step of the cluster's infrastructure fail */
export function refuseByFault({ faults, cloudUrl }: CapoContext, part: Part, cluster: string): void {
  const fault = faults.findPart(part, cluster);
  if (fault === undefined) return;
  const { status, message, type } = refusals[part];
  throw requestError(cloudUrl, requests[part], new ApiError(status, fault.message ?? message, type));
}
