import { ApiError, type ApiRequest, type Cloud, type Reply, tokenOf } from './api.ts';
import type { Route } from './route.ts';
import type { LoadBalancer } from './state.ts';

export const loadBalancerRoutes: readonly Route[] = [
  { method: 'GET', path: '/lbaas/loadbalancers', handle: list },
  { method: 'GET', path: '/lbaas/loadbalancers/{id}', handle: show },
  { method: 'DELETE', path: '/lbaas/loadbalancers/{id}', handle: remove },
];

function own(request: ApiRequest, cloud: Cloud): LoadBalancer[] {
  const { projectId } = tokenOf(request);
  return cloud.state.loadBalancers.filter((balancer) => balancer.projectId === projectId);
}

function found(request: ApiRequest, cloud: Cloud, id: string | undefined): LoadBalancer {
  const balancer = own(request, cloud).find((candidate) => candidate.id === id);
  if (balancer === undefined) throw new ApiError(404, `Load Balancer ${id} not found.`);
  return balancer;
}

function shown({ id, name, projectId, provisioningStatus, vipPortId }: LoadBalancer): Record<string, unknown> {
  return { id, name, project_id: projectId, provisioning_status: provisioningStatus, vip_port_id: vipPortId };
}

function list(request: ApiRequest, cloud: Cloud): Reply {
  const name = request.query.get('name');
  const wanted = own(request, cloud).filter((balancer) => name === null || balancer.name === name);
  return { status: 200, body: { loadbalancers: wanted.map(shown), loadbalancers_links: [] } };
}

function show(request: ApiRequest, cloud: Cloud, { id }: Readonly<Record<string, string>>): Reply {
  return { status: 200, body: { loadbalancer: shown(found(request, cloud, id)) } };
}

/** A load balancer that is being changed cannot be deleted. */
function remove(request: ApiRequest, cloud: Cloud, { id }: Readonly<Record<string, string>>): Reply {
  const balancer = found(request, cloud, id);
  const status = balancer.provisioningStatus;
  if (status.startsWith('PENDING_')) {
    throw new ApiError(409, `Invalid state ${status} of loadbalancer resource ${id}`);
  }
  cloud.state.loadBalancers.splice(cloud.state.loadBalancers.indexOf(balancer), 1);
  return { status: 204 };
}
