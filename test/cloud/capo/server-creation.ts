import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { resources } from '../../../shared/kubernetes/resources.ts';
import { ApiError } from '../openstack/api.ts';
import { createServer, type ServerRequest } from '../openstack/create-server.ts';
import type { Server } from '../openstack/state.ts';
import type { CapoContext } from './capo-context.ts';
import type { FaultTarget } from './fault-rules.ts';
import { isControlPlane, type Machine, type OpenStackServer, pathOf } from './infrastructure-objects.ts';
import { requestError } from './request-error.ts';
import { addressOf } from './subnet-address.ts';

/** An OpenStackServer while it is reconciled. */
export interface ServerWork {
  readonly context: CapoContext;
  /** The Machine for which it is; undefined once that is gone. */
  readonly machine: Machine | undefined;
  readonly target: FaultTarget;
  /** Changed in place. */
  readonly draft: OpenStackServer;
  readonly projectId: string;
}

const quotaExceeded = 'Quota exceeded for instances: Requested 1, but already used 10 of 10 instances';

/** Asks Nova for the server and lets it boot. @throws Error in CAPO's words, recorded as an event (compute/instance.go) */
export async function createInstance(work: ServerWork): Promise<Server> {
  const { context, draft, target } = work;
  const { name } = draft.metadata;
  createVolumes(work);
  const request = await serverRequest(work);
  let server: Server;
  try {
    refuseByFault(work, request);
    server = createServer(context.state, request);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const refused = { service: 'compute', method: 'POST', path: '/servers', expected: [200, 202] } as const;
    const { message } = requestError(context.cloudUrl, refused, error);
    context.events.warning(draft, 'FailedCreateServer', `Failed to create server ${name}: ${message}`);
    throw new Error(`error creating Openstack instance: ${message}`);
  }
  // Nova's answer to the creation has no name, and CAPO prints what it has.
  context.events.normal(draft, 'SuccessfulCreateServer', `Created server  with id ${server.id}`);
  const [address] = Object.values(request.addresses).flat();
  context.nova.build(server, target, {
    name,
    providerId: `openstack:///${server.id}`,
    address: address ?? '',
    kubernetesVersion: work.machine?.spec.version ?? '',
    bootstrapData: Buffer.from(request.userData, 'base64').toString(),
    isControlPlane: target.machine?.isControlPlane ?? false,
  });
  return server;
}

/** @throws ApiError as Nova refuses the request, where a fault holds */
function refuseByFault(
  { context, target }: ServerWork,
  { imageId, imageName }: { imageId: string; imageName?: string },
) {
  const quota = context.faults.find('quota-exceeded', target);
  if (quota !== undefined) throw new ApiError(403, quota.message ?? quotaExceeded);
  if (context.faults.find('image-not-found', target) === undefined) return;
  throw new ApiError(400, `Image ${imageId || imageName} could not be found.`);
}

async function serverRequest({ context, draft, projectId }: ServerWork): Promise<ServerRequest> {
  const { spec, status, metadata } = draft;
  const { imageID = '', flavorID = '', ports = [] } = status?.resolved ?? {};
  const secretName = spec.userDataRef?.name;
  const userData = secretName === undefined ? '' : await readUserData(context, metadata.namespace, secretName);
  const addresses = ports.map(({ networkID }) => {
    const network = context.state.networks.find(({ id }) => id === networkID);
    return [network?.name ?? networkID, [nextAddress(context, networkID)]] as const;
  });
  return {
    name: metadata.name,
    projectId,
    flavorId: flavorID,
    imageId: spec.rootVolume === undefined ? imageID : '',
    availabilityZone: spec.availabilityZone ?? '',
    keyName: spec.sshKeyName,
    userData,
    addresses: Object.fromEntries(addresses),
  };
}

const userDataSecret = z.object({ data: z.object({ value: z.base64() }) });

/** base64 of the bootstrap data. */
async function readUserData({ api }: CapoContext, namespace: string, name: string): Promise<string> {
  try {
    const secret = await api.call('GET', pathOf({ ...resources.secret }, namespace, name));
    return userDataSecret.parse(secret).data.value;
  } catch {
    throw new Error('failed to get user data secret value');
  }
}

/** Neutron gives the lowest free address; the first ten are left to gateways, ports and load balancers. */
function nextAddress({ state }: CapoContext, networkId: string): string {
  const { cidr = '10.0.0.0/24' } = state.subnets.find((subnet) => subnet.networkId === networkId) ?? {};
  const name = state.networks.find(({ id }) => id === networkId)?.name ?? networkId;
  const used = new Set(state.servers.flatMap(({ addresses = {} }) => (addresses[name] ?? []).map(({ addr }) => addr)));
  for (let n = 10; ; n += 1) if (!used.has(addressOf(cidr, n))) return addressOf(cidr, n);
}

/** Volumes are no part of the simulated Cinder: only the events tell of them. */
function createVolumes({ context, draft }: ServerWork): void {
  const { rootVolume, additionalBlockDevices = [] } = draft.spec;
  const storage = additionalBlockDevices.filter((device) => Object(device['storage']).type === 'Volume');
  for (const _ of [...(rootVolume === undefined ? [] : [rootVolume]), ...storage]) {
    context.events.normal(draft, 'SuccessfulCreateVolume', `Created volume; id=${randomUUID()}`);
  }
}

/** The Machine of a server: its owner's owner. */
export function machineOf(context: CapoContext, { metadata }: OpenStackServer): Machine | undefined {
  return context.stores.machine.list().find((machine) => {
    const { kind, name } = machine.spec.infrastructureRef;
    return machine.metadata.namespace === metadata.namespace && kind === 'OpenStackMachine' && name === metadata.name;
  });
}

/** What the rules of faults go by: the Machine's own name, which its server has too. */
export function targetOf(server: OpenStackServer, machine: Machine | undefined, cluster: string): FaultTarget {
  const { name } = machine?.metadata ?? server.metadata;
  return { cluster, machine: { name, isControlPlane: machine !== undefined && isControlPlane(machine) } };
}
