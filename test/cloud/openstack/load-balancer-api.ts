import { ApiError, type ApiRequest, type Cloud, isAdmin, type Reply, tokenOf } from './api.ts';
import { isPending, lookAt, remove } from './load-balancer-life.ts';
import { page } from './page.ts';
import type { Route } from './route.ts';
import type { LoadBalancer } from './state.ts';

type Parameters = Readonly<Record<string, string>>;

export const loadBalancerRoutes: readonly Route[] = [
  { method: 'GET', path: '/lbaas/loadbalancers', handle: list },
  { method: 'GET', path: '/lbaas/loadbalancers/{id}', handle: show },
  { method: 'DELETE', path: '/lbaas/loadbalancers/{id}', handle: deleteOne },
];

/** Of the query, what is no filter (octavia/api/common/pagination.py). */
const auxiliary = ['limit', 'marker', 'sort', 'sort_key', 'sort_dir', 'fields', 'page_reverse'];

/** A user lists his own project; an administrator all, or the one that he names. */
function visible(request: ApiRequest, cloud: Cloud): LoadBalancer[] {
  const token = tokenOf(request);
  const asked = request.query.get('project_id') ?? (isAdmin(token) ? null : token.projectId);
  if (asked !== null) refuseForeign(request, asked);
  return cloud.state.loadBalancers.filter(({ projectId, provisioningStatus }) => {
    return (asked === null || projectId === asked) && provisioningStatus !== 'DELETED';
  });
}

/** Octavia says of another project's load balancer that it is forbidden, not that it does not exist. */
function refuseForeign(request: ApiRequest, projectId: string): void {
  const token = tokenOf(request);
  if (projectId === token.projectId || isAdmin(token)) return;
  throw new ApiError(403, 'Policy does not allow this request to be performed.');
}

function found(request: ApiRequest, cloud: Cloud, id: string | undefined): LoadBalancer {
  const balancer = cloud.state.loadBalancers.find((candidate) => candidate.id === id);
  if (balancer === undefined || balancer.provisioningStatus === 'DELETED') throw notFound(id);
  refuseForeign(request, balancer.projectId);
  return balancer;
}

function notFound(id: string | undefined): ApiError {
  return new ApiError(404, `Load Balancer ${id} not found.`);
}

function shown(balancer: LoadBalancer): Record<string, unknown> & { readonly id: string } {
  const { id, name, description = '', projectId, provisioningStatus, operatingStatus = 'ONLINE', vipPortId } = balancer;
  const status = { provisioning_status: provisioningStatus, operating_status: operatingStatus };
  const owner = { project_id: projectId, tenant_id: projectId };
  return { id, name, description, ...owner, ...status, vip_port_id: vipPortId, admin_state_up: true };
}

function matches(balancer: Record<string, unknown>, query: URLSearchParams): boolean {
  return [...query].every(([key, value]) => {
    if (auxiliary.includes(key)) return true;
    if (!(key in balancer)) throw new ApiError(400, 'One or more arguments are either duplicate or invalid');
    return String(balancer[key]) === value;
  });
}

/** Octavia's link to the next page repeats limit and marker only, not the filters. */
function list(request: ApiRequest, cloud: Cloud): Reply {
  const { query } = request;
  const there = visible(request, cloud).filter((balancer) => lookAt(cloud.state, balancer));
  const wanted = there.map(shown).filter((balancer) => matches(balancer, query));
  const { items, nextQuery } = page(wanted, query, cloud.pageLimit);
  const next = new URLSearchParams({ limit: String(items.length), marker: items.at(-1)?.id ?? '' });
  const link = { rel: 'next', href: `${cloud.url}/load-balancer/v2/lbaas/loadbalancers?${next}` };
  return { status: 200, body: { loadbalancers: items, loadbalancers_links: nextQuery === undefined ? [] : [link] } };
}

function show(request: ApiRequest, cloud: Cloud, { id }: Parameters): Reply {
  const balancer = found(request, cloud, id);
  if (!lookAt(cloud.state, balancer)) throw notFound(id);
  return { status: 200, body: { loadbalancer: shown(balancer) } };
}

/** What has children is refused first, then every status but ACTIVE and ERROR. */
function deleteOne(request: ApiRequest, cloud: Cloud, { id }: Parameters): Reply {
  const balancer = found(request, cloud, id);
  const cascade = /^(1|t|true|on|y|yes)$/i.test(request.query.get('cascade') ?? '');
  if (!cascade && (balancer.listeners ?? []).length > 0) {
    throw new ApiError(400, `Validation failure: Cannot delete Load Balancer ${id} - it has children`);
  }
  if (isPending(balancer)) {
    throw new ApiError(409, `Invalid state ${balancer.provisioningStatus} of loadbalancer resource ${id}`);
  }
  remove(cloud.state, balancer);
  return { status: 204 };
}
