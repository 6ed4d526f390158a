import { ApiError, type ApiRequest, type Cloud, isAdmin, type Reply, tokenOf } from './api.ts';
import { sameInDatabase } from './collation.ts';
import { minorVersion } from './microversion.ts';
import { linksBeside, page } from './page.ts';
import { requireRole } from './policy.ts';
import type { Route } from './route.ts';
import { serverGroupRoutes } from './server-group-api.ts';
import type { Flavor, Server } from './state.ts';

export const computeRoutes: readonly Route[] = [
  { method: 'GET', path: '/', handle: showVersion },
  ...[
    { method: 'GET', path: '/flavors/detail', handle: listFlavors },
    { method: 'GET', path: '/flavors/{id}', handle: showFlavor },
    { method: 'GET', path: '/os-keypairs/{name}', handle: showKeypair },
    { method: 'GET', path: '/os-availability-zone', handle: listAvailabilityZones },
    { method: 'GET', path: '/servers/detail', handle: listServers },
    { method: 'GET', path: '/servers/{id}', handle: showServer },
    ...serverGroupRoutes,
  ].map(withKnownVersion),
];

/** Nova refuses an unknown microversion on every path but its version document. */
function withKnownVersion(route: Route): Route {
  return {
    ...route,
    handle(request, cloud, parameters) {
      minorVersion(request, cloud);
      return route.handle(request, cloud, parameters);
    },
  };
}

function showVersion(_request: ApiRequest, cloud: Cloud): Reply {
  const links = [{ rel: 'self', href: `${cloud.url}/compute/v2.1/` }];
  const range = { version: cloud.computeMicroversion, min_version: '2.1' };
  return { status: 200, body: { version: { id: 'v2.1', status: 'CURRENT', ...range, links } } };
}

function listFlavors(request: ApiRequest, cloud: Cloud): Reply {
  const { items, nextQuery } = page(visibleFlavors(request, cloud), request.query, cloud.pageLimit);
  const links = linksBeside('flavors', `${cloud.url}/compute/v2.1/flavors/detail`, nextQuery);
  return { status: 200, body: { flavors: items.map(shownFlavor), ...links } };
}

/** In order of their ids. An administrator sees the private ones too. */
function visibleFlavors(request: ApiRequest, cloud: Cloud): Flavor[] {
  const token = tokenOf(request);
  return cloud.state.flavors
    .filter(({ projects }) => projects === undefined || isAdmin(token) || projects.includes(token.projectId ?? ''))
    .sort((one, other) => one.id.localeCompare(other.id, 'en'));
}

function shownFlavor(flavor: Flavor): Record<string, unknown> {
  const { id, name, vcpus, ram, disk, ephemeral, swap } = flavor;
  const rest = {
    // Nova says '' rather than 0.
    swap: swap ?? '',
    rxtx_factor: 1,
    links: [],
    'OS-FLV-EXT-DATA:ephemeral': ephemeral ?? 0,
    'os-flavor-access:is_public': flavor.projects === undefined,
  };
  return { id, name, vcpus, ram, disk, ...rest };
}

function showFlavor(_request: ApiRequest, cloud: Cloud, { id }: Readonly<Record<string, string>>): Reply {
  const flavor = cloud.state.flavors.find((candidate) => candidate.id === id);
  if (flavor === undefined) throw new ApiError(404, `Flavor ${id} could not be found.`);
  return { status: 200, body: { flavor: shownFlavor(flavor) } };
}

function listAvailabilityZones(_request: ApiRequest, cloud: Cloud): Reply {
  const shown = cloud.state.availabilityZones.map(({ name, available }) => {
    return { zoneName: name, zoneState: { available }, hosts: null };
  });
  return { status: 200, body: { availabilityZoneInfo: shown } };
}

function showKeypair(request: ApiRequest, cloud: Cloud, { name }: Readonly<Record<string, string>>): Reply {
  const { userId } = tokenOf(request);
  const own = cloud.state.keypairs.filter((candidate) => candidate.userId === userId);
  const keypair =
    own.find((candidate) => candidate.name === name) ??
    own.find((candidate) => sameInDatabase(candidate.name, name ?? ''));
  if (keypair === undefined) throw new ApiError(404, `Keypair ${name} not found for user ${userId}`);
  const { publicKey, fingerprint } = keypair;
  const shown = { name: keypair.name, public_key: publicKey, fingerprint, user_id: userId, id: 1, deleted: false };
  return { status: 200, body: { keypair: shown } };
}

function ownServers(request: ApiRequest, cloud: Cloud): Server[] {
  const { projectId } = tokenOf(request);
  return cloud.state.servers.filter((server) => server.projectId === projectId);
}

function shownServer(server: Server): Record<string, unknown> {
  const { id, name, status, projectId, fault, addresses = {} } = server;
  const shown = Object.entries(addresses).map(([network, list]) => {
    return [network, list.map(({ addr, version, type }) => ({ addr, version, 'OS-EXT-IPS:type': type }))];
  });
  const rest = {
    addresses: Object.fromEntries(shown),
    key_name: server.keyName ?? null,
    'OS-EXT-AZ:availability_zone': server.availabilityZone ?? '',
    'OS-EXT-STS:task_state': server.taskState ?? null,
  };
  return { id, name, status, tenant_id: projectId, links: [], ...rest, ...(fault === null ? {} : { fault }) };
}

function listServers(request: ApiRequest, cloud: Cloud): Reply {
  requireRole(tokenOf(request), 'reader', 'os_compute_api:servers:detail');
  const status = request.query.get('status');
  const wanted = ownServers(request, cloud).filter(
    (server) => status === null || server.status === status.toUpperCase(),
  );
  const { items, nextQuery } = page(wanted, request.query, cloud.pageLimit);
  const links = linksBeside('servers', `${cloud.url}/compute/v2.1/servers/detail`, nextQuery);
  return { status: 200, body: { servers: items.map(shownServer), ...links } };
}

function showServer(request: ApiRequest, cloud: Cloud, { id }: Readonly<Record<string, string>>): Reply {
  requireRole(tokenOf(request), 'reader', 'os_compute_api:servers:show');
  const server = ownServers(request, cloud).find((candidate) => candidate.id === id);
  if (server === undefined) throw new ApiError(404, `Instance ${id} could not be found.`);
  return { status: 200, body: { server: shownServer(server) } };
}
