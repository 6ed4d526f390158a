import { randomUUID } from 'node:crypto';
import { ApiError } from './api.ts';
import type { CloudState, Flavor, Server } from './state.ts';

/** What POST /servers says, as far as the simulated Nova keeps it. */
export interface ServerRequest {
  readonly name: string;
  readonly projectId: string;
  readonly flavorId: string;
  /** '' = it boots from a volume. */
  readonly imageId: string;
  /** '' = any. */
  readonly availabilityZone: string;
  readonly keyName: string;
  /** base64 */
  readonly userData: string;
  /** By the name of the network. */
  readonly addresses: Readonly<Record<string, readonly string[]>>;
}

/** Puts a server in state BUILD. @throws ApiError in Nova's words: 400 for what does not exist, 403 beyond a quota */
export function createServer(state: CloudState, request: ServerRequest): Server {
  const flavor = state.flavors.find(({ id }) => id === request.flavorId);
  if (flavor === undefined) throw new ApiError(400, `Flavor ${request.flavorId} could not be found.`);
  if (request.imageId !== '' && !state.images.some(({ id }) => id === request.imageId)) {
    throw new ApiError(400, `Image ${request.imageId} could not be found.`);
  }
  const zone = state.availabilityZones.find(({ name }) => name === request.availabilityZone);
  if (request.availabilityZone !== '' && zone?.available !== true) {
    throw new ApiError(400, 'The requested availability zone is not available');
  }
  requireQuota(state, request.projectId, flavor);
  const { addresses, availabilityZone, ...kept } = request;
  const fixed = Object.entries(addresses).map(([network, list]) => {
    return [network, list.map((addr) => ({ addr, version: 4, type: 'fixed' }) as const)] as const;
  });
  const server: Server = {
    ...kept,
    id: randomUUID(),
    status: 'BUILD',
    fault: null,
    availabilityZone: zone?.name ?? state.availabilityZones[0]?.name ?? '',
    addresses: Object.fromEntries(fixed.map(([network, list]) => [network, [...list]])),
  };
  state.servers.push(server);
  return server;
}

type Resource = 'instances' | 'cores' | 'ram';

function requireQuota(state: CloudState, projectId: string, flavor: Flavor): void {
  const requested = demand(flavor);
  const used: Record<Resource, number> = { instances: 0, cores: 0, ram: 0 };
  for (const server of state.servers.filter((candidate) => candidate.projectId === projectId)) {
    const own = demand(state.flavors.find(({ id }) => id === server.flavorId));
    for (const resource of resources) used[resource] += own[resource];
  }
  const over = resources.filter((resource) => {
    const limit = state.quotas[resource];
    return limit >= 0 && used[resource] + requested[resource] > limit;
  });
  if (over.length === 0) return;
  const of = (numbers: Readonly<Record<Resource, number>>) => over.map((resource) => numbers[resource]).join(', ');
  const names = over.join(', ');
  const usage = `already used ${of(used)} of ${of(state.quotas)} ${names}`;
  throw new ApiError(403, `Quota exceeded for ${names}: Requested ${of(requested)}, but ${usage}`);
}

/** In the order in which Nova names them: it sorts them. */
const resources: readonly Resource[] = ['cores', 'instances', 'ram'];

function demand(flavor: Flavor | undefined): Record<Resource, number> {
  return { instances: 1, cores: flavor?.vcpus ?? 0, ram: flavor?.ram ?? 0 };
}
