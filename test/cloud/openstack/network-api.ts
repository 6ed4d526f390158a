import { ApiError, type ApiRequest, type Cloud, isAdmin, type Reply, tokenOf } from './api.ts';
import { sameInDatabase } from './collation.ts';
import { linksBeside, page } from './page.ts';
import { hasRole } from './policy.ts';
import type { Route } from './route.ts';
import type { FloatingIp, Network, Subnet, Token } from './state.ts';

export const networkRoutes: readonly Route[] = [
  { method: 'GET', path: '/', handle: showResources },
  { method: 'GET', path: '/networks', handle: listNetworks },
  { method: 'GET', path: '/networks/{id}', handle: showNetwork },
  { method: 'GET', path: '/subnets', handle: listSubnets },
  { method: 'GET', path: '/subnets/{id}', handle: showSubnet },
  { method: 'GET', path: '/floatingips', handle: listFloatingIps },
  { method: 'GET', path: '/floatingips/{id}', handle: showFloatingIp },
  { method: 'DELETE', path: '/floatingips/{id}', handle: deleteFloatingIp },
];

/** The things that Neutron lists, with its words for one that is not there. */
const kinds = {
  networks: { words: (id: string) => `Network ${id} could not be found.`, type: 'NetworkNotFound' },
  subnets: { words: (id: string) => `Subnet ${id} could not be found.`, type: 'SubnetNotFound' },
  floatingips: { words: (id: string) => `Floating IP ${id} could not be found`, type: 'FloatingIPNotFound' },
} as const;

type ListKey = keyof typeof kinds;

function missing(key: ListKey, id: string | undefined): ApiError {
  return new ApiError(404, kinds[key].words(id ?? ''), kinds[key].type);
}

/** Neutron has no version document here; it lists what it serves. */
function showResources(_request: ApiRequest, cloud: Cloud): Reply {
  const resources = Object.keys(kinds).map((collection) => {
    const links = [{ rel: 'self', href: `${cloud.url}/network/v2.0/${collection}` }];
    return { name: collection.slice(0, -1), collection, links };
  });
  return { status: 200, body: { resources } };
}

function visibleNetworks(request: ApiRequest, cloud: Cloud): Network[] {
  const token = tokenOf(request);
  return cloud.state.networks.filter(({ external, projectId }) => external || mayRead(token, projectId));
}

function mayRead(token: Token, projectId: string): boolean {
  return isAdmin(token) || (projectId === token.projectId && hasRole(token, 'reader'));
}

/** Everybody sees the subnets of external networks. */
function visibleSubnets(request: ApiRequest, cloud: Cloud): Subnet[] {
  const token = tokenOf(request);
  const external = cloud.state.networks.filter((network) => network.external).map(({ id }) => id);
  return cloud.state.subnets.filter(({ projectId, networkId }) => {
    return external.includes(networkId) || mayRead(token, projectId);
  });
}

function visibleFloatingIps(request: ApiRequest, cloud: Cloud): FloatingIp[] {
  const token = tokenOf(request);
  return cloud.state.floatingIps.filter(({ projectId }) => mayRead(token, projectId));
}

function shownNetwork(network: Network, cloud: Cloud): Record<string, unknown> {
  const { id, name, external, projectId } = network;
  const subnets = cloud.state.subnets.filter(({ networkId }) => networkId === id).map((subnet) => subnet.id);
  const owner = { project_id: projectId, tenant_id: projectId };
  return {
    id,
    name,
    'router:external': external,
    subnets,
    ...owner,
    shared: false,
    status: 'ACTIVE',
    admin_state_up: true,
  };
}

function shownSubnet(subnet: Subnet): Record<string, unknown> {
  const { id, name, networkId, projectId, cidr } = subnet;
  return {
    id,
    name,
    network_id: networkId,
    project_id: projectId,
    cidr,
    ip_version: cidr.includes(':') ? 6 : 4,
    enable_dhcp: true,
  };
}

function shownFloatingIp({ id, address, description, projectId, portId }: FloatingIp): Record<string, unknown> {
  const owner = { project_id: projectId, tenant_id: projectId };
  const status = portId === null ? 'DOWN' : 'ACTIVE';
  return { id, floating_ip_address: address, description, ...owner, port_id: portId, status };
}

/** Neutron's filters: the same key several times means any of the values; unknown keys are refused. */
function matches(thing: Record<string, unknown>, query: URLSearchParams): boolean {
  return [...new Set(query.keys())].filter(isFilter).every((key) => {
    if (!(key in thing)) throw new ApiError(400, `['${key}'] is invalid attribute for filtering`, 'HTTPBadRequest');
    return query.getAll(key).some((value) => sameValue(thing[key], value));
  });
}

function isFilter(key: string): boolean {
  return key !== 'limit' && key !== 'marker';
}

function sameValue(actual: unknown, wanted: string): boolean {
  return typeof actual === 'boolean' ? String(actual) === wanted.toLowerCase() : sameInDatabase(String(actual), wanted);
}

function listOf(key: ListKey, things: Record<string, unknown>[], request: ApiRequest, cloud: Cloud): Reply {
  const wanted = things
    .filter((thing) => matches(thing, request.query))
    .map((thing) => ({ ...thing, id: String(thing['id']) }));
  const marker = request.query.get('marker');
  if (marker !== null && !wanted.some(({ id }) => id === marker)) throw missing(key, marker);
  const { items, nextQuery } = page(wanted, request.query, cloud.pageLimit);
  const links = linksBeside(key, `${cloud.url}/network/v2.0/${key}`, nextQuery);
  return { status: 200, body: { [key]: items, ...links } };
}

function listNetworks(request: ApiRequest, cloud: Cloud): Reply {
  const networks = visibleNetworks(request, cloud).map((network) => shownNetwork(network, cloud));
  return listOf('networks', networks, request, cloud);
}

function listSubnets(request: ApiRequest, cloud: Cloud): Reply {
  return listOf('subnets', visibleSubnets(request, cloud).map(shownSubnet), request, cloud);
}

function showNetwork(request: ApiRequest, cloud: Cloud, { id }: Readonly<Record<string, string>>): Reply {
  const network = visibleNetworks(request, cloud).find((candidate) => candidate.id === id);
  if (network === undefined) throw missing('networks', id);
  return { status: 200, body: { network: shownNetwork(network, cloud) } };
}

function showSubnet(request: ApiRequest, cloud: Cloud, { id }: Readonly<Record<string, string>>): Reply {
  const subnet = visibleSubnets(request, cloud).find((candidate) => candidate.id === id);
  if (subnet === undefined) throw missing('subnets', id);
  return { status: 200, body: { subnet: shownSubnet(subnet) } };
}

function listFloatingIps(request: ApiRequest, cloud: Cloud): Reply {
  return listOf('floatingips', visibleFloatingIps(request, cloud).map(shownFloatingIp), request, cloud);
}

function foundFloatingIp(request: ApiRequest, cloud: Cloud, id: string | undefined): FloatingIp {
  const floatingIp = visibleFloatingIps(request, cloud).find((candidate) => candidate.id === id);
  if (floatingIp === undefined) throw missing('floatingips', id);
  return floatingIp;
}

function showFloatingIp(request: ApiRequest, cloud: Cloud, { id }: Readonly<Record<string, string>>): Reply {
  return { status: 200, body: { floatingip: shownFloatingIp(foundFloatingIp(request, cloud, id)) } };
}

function deleteFloatingIp(request: ApiRequest, cloud: Cloud, { id }: Readonly<Record<string, string>>): Reply {
  const floatingIp = foundFloatingIp(request, cloud, id);
  if (!hasRole(tokenOf(request), 'member')) {
    throw new ApiError(403, 'rule:delete_floatingip is disallowed by policy', 'PolicyNotAuthorized');
  }
  cloud.state.floatingIps.splice(cloud.state.floatingIps.indexOf(floatingIp), 1);
  return { status: 204 };
}
