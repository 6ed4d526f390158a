import { ApiError, type ApiRequest, type Cloud, isAdmin, type Reply, tokenOf } from './api.ts';
import { linksBeside, page } from './page.ts';
import type { Route } from './route.ts';
import type { FloatingIp, Network, Subnet } from './state.ts';

export const networkRoutes: readonly Route[] = [
  { method: 'GET', path: '/networks', handle: listNetworks },
  { method: 'GET', path: '/networks/{id}', handle: showNetwork },
  { method: 'GET', path: '/subnets', handle: listSubnets },
  { method: 'GET', path: '/subnets/{id}', handle: showSubnet },
  { method: 'GET', path: '/floatingips', handle: listFloatingIps },
  { method: 'DELETE', path: '/floatingips/{id}', handle: deleteFloatingIp },
];

function visibleNetworks(request: ApiRequest, cloud: Cloud): Network[] {
  const token = tokenOf(request);
  return cloud.state.networks.filter(({ external, projectId }) => {
    return external || projectId === token.projectId || isAdmin(token);
  });
}

function visibleSubnets(request: ApiRequest, cloud: Cloud): Subnet[] {
  const token = tokenOf(request);
  return cloud.state.subnets.filter(({ projectId }) => projectId === token.projectId || isAdmin(token));
}

function visibleFloatingIps(request: ApiRequest, cloud: Cloud): FloatingIp[] {
  const token = tokenOf(request);
  return cloud.state.floatingIps.filter(({ projectId }) => projectId === token.projectId || isAdmin(token));
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
  return { id, name, network_id: networkId, project_id: projectId, cidr, ip_version: 4, enable_dhcp: true };
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
  return typeof actual === 'boolean' ? String(actual) === wanted.toLowerCase() : String(actual) === wanted;
}

function listOf(key: string, things: Record<string, unknown>[], request: ApiRequest, cloud: Cloud): Reply {
  const wanted = things
    .filter((thing) => matches(thing, request.query))
    .map((thing) => ({ ...thing, id: String(thing['id']) }));
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
  if (network === undefined) throw new ApiError(404, `Network ${id} could not be found.`, 'NetworkNotFound');
  return { status: 200, body: { network: shownNetwork(network, cloud) } };
}

function showSubnet(request: ApiRequest, cloud: Cloud, { id }: Readonly<Record<string, string>>): Reply {
  const subnet = visibleSubnets(request, cloud).find((candidate) => candidate.id === id);
  if (subnet === undefined) throw new ApiError(404, `Subnet ${id} could not be found.`, 'SubnetNotFound');
  return { status: 200, body: { subnet: shownSubnet(subnet) } };
}

function listFloatingIps(request: ApiRequest, cloud: Cloud): Reply {
  return listOf('floatingips', visibleFloatingIps(request, cloud).map(shownFloatingIp), request, cloud);
}

function deleteFloatingIp(request: ApiRequest, cloud: Cloud, { id }: Readonly<Record<string, string>>): Reply {
  const floatingIp = visibleFloatingIps(request, cloud).find((candidate) => candidate.id === id);
  if (floatingIp === undefined) throw new ApiError(404, `Floating IP ${id} could not be found`, 'FloatingIPNotFound');
  cloud.state.floatingIps.splice(cloud.state.floatingIps.indexOf(floatingIp), 1);
  return { status: 204 };
}
