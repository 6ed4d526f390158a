import { randomUUID } from 'node:crypto';
import { ApiError } from '../openstack/api.ts';
import type { Network, Subnet } from '../openstack/state.ts';
import {
  type ClusterWork,
  FilterMatchError,
  mark,
  markFailed,
  multipleMatches,
  noMatches,
  resourceName,
  statusOf,
  wrapped,
} from './cluster-draft.ts';
import { type Cause, falseCondition, trueCondition } from './condition.ts';
import type { Reference } from './infrastructure-objects.ts';
import { refuseByFault } from './refusals.ts';
import { requestError } from './request-error.ts';

/** Finds the external network: the one of the spec, else the only one. */
export function reconcileExternalNetwork(work: ClusterWork): void {
  const { context, draft, cluster } = work;
  const status = statusOf(draft);
  delete status.externalNetwork;
  if (draft.spec.disableExternalNetwork === true) return;
  try {
    refuseByFault(context, 'external-network', cluster.metadata.name);
    const wanted = draft.spec.externalNetwork;
    const candidates = context.state.networks.filter(({ external }) => external);
    if (wanted === undefined && candidates.length === 0) return;
    const { id, name } = wanted === undefined ? only(candidates) : findNetwork(work, wanted);
    status.externalNetwork = { id, name };
  } catch (cause) {
    const error = wrapped('failed to reconcile external network', wrapped('failed to get external network', cause));
    markFailed(draft, error, { fatal: false });
    throw error;
  }
}

/** Finds or makes the cluster's network, subnet and router (openstackcluster_controller.go, reconcileNetworkComponents). */
export function reconcileNetwork(work: ClusterWork): void {
  const { managedSubnets = [] } = work.draft.spec;
  if (managedSubnets.length === 0) {
    findExisting(work);
    return;
  }
  const [{ cidr } = { cidr: '' }] = managedSubnets;
  if (managedSubnets.length > 1) {
    const limit = `ManagedSubnets only supports one element, ${managedSubnets.length} provided`;
    throw new Error(`failed to reconcile network: ${limit}`);
  }
  step(work, { type: 'NetworkReady', reason: 'NetworkCreateFailed', what: 'network' }, () => makeNetwork(work));
  step(work, { type: 'NetworkReady', reason: 'SubnetCreateFailed', what: 'subnets' }, () => makeSubnet(work, cidr));
  mark(work.draft, trueCondition('NetworkReady'));
  step(work, { type: 'RouterReady', reason: 'RouterCreateFailed', what: 'router' }, () => makeRouter(work));
  mark(work.draft, trueCondition('RouterReady'));
}

export function reconcileSecurityGroups(work: ClusterWork): void {
  const step_ = { type: 'SecurityGroupsReady', reason: 'SecurityGroupCreateFailed', what: 'security groups' };
  step(work, step_, () => makeSecurityGroups(work));
  mark(work.draft, trueCondition('SecurityGroupsReady'));
}

interface Step {
  readonly type: string;
  readonly reason: string;
  /** As in `failed to reconcile network`. */
  readonly what: string;
}

function step({ draft }: ClusterWork, { type, reason, what }: Step, make: () => void): void {
  try {
    make();
  } catch (cause) {
    const message = wrapped(`Failed to reconcile ${what}`, cause).message;
    mark(draft, falseCondition(type, { reason, severity: 'Error', message }));
    const error = wrapped(`failed to reconcile ${what}`, cause);
    markFailed(draft, error, { fatal: false });
    throw error;
  }
}

function makeNetwork(work: ClusterWork): void {
  const { context, cluster, draft, projectId } = work;
  const name = resourceName(cluster);
  const known = context.state.networks.find((network) => network.name === name && network.projectId === projectId);
  const network = known ?? { id: randomUUID(), name, external: false, projectId };
  if (known === undefined) {
    recordRefusal(work, 'network', name);
    context.state.networks.push(network);
    context.events.normal(draft, 'SuccessfulCreateNetwork', `Created network ${name} with id ${network.id}`);
  }
  const status = statusOf(draft);
  const { subnets } = status.network ?? {};
  status.network = { id: network.id, name, ...(subnets === undefined ? {} : { subnets }) };
}

function makeSubnet(work: ClusterWork, cidr: string): void {
  const { context, cluster, draft, projectId } = work;
  const { network } = statusOf(draft);
  if (network === undefined) return;
  const { subnets } = context.state;
  const known = subnets.find((subnet) => subnet.networkId === network.id && subnet.cidr === cidr);
  const subnet = known ?? { id: randomUUID(), name: resourceName(cluster), networkId: network.id, projectId, cidr };
  if (known === undefined) {
    recordRefusal(work, 'subnet', subnet.name);
    subnets.push(subnet);
    context.events.normal(draft, 'SuccessfulCreateSubnet', `Created subnet ${subnet.name} with id ${subnet.id}`);
  }
  network.subnets = [shownSubnet(subnet)];
}

/** Routers are no part of the simulated Neutron: the status alone remembers them. */
function makeRouter(work: ClusterWork): void {
  const { context, cluster, draft } = work;
  const status = statusOf(draft);
  if (status.externalNetwork === undefined || status.router !== undefined) return;
  const name = resourceName(cluster);
  recordRefusal(work, 'router', name);
  const id = randomUUID();
  context.events.normal(draft, 'SuccessfulCreateRouter', `Created router ${name} with id ${id}`);
  status.router = { id, name, ips: ['172.24.4.10'] };
}

/** Security groups are no part of the simulated Neutron either. */
function makeSecurityGroups(work: ClusterWork): void {
  const { context, cluster, draft } = work;
  if (draft.spec.managedSecurityGroups === undefined) return;
  const status = statusOf(draft);
  const { namespace, name } = cluster.metadata;
  const make = (suffix: string) => {
    const group = { id: randomUUID(), name: `k8s-cluster-${namespace}-${name}-secgroup-${suffix}` };
    recordRefusal(work, 'security-groups', group.name);
    const message = `Created security group ${group.name} with id ${group.id}`;
    context.events.normal(draft, 'SuccessfulCreateSecurityGroup', message);
    return group;
  };
  status.controlPlaneSecurityGroup ??= make('controlplane');
  status.workerSecurityGroup ??= make('worker');
}

const created = {
  network: ['FailedCreateNetwork', 'network'],
  subnet: ['FailedCreateSubnet', 'subnet'],
  router: ['FailedCreateRouter', 'router'],
  'security-groups': ['FailedCreateSecurityGroup', 'security group'],
} as const;

function recordRefusal({ context, cluster, draft }: ClusterWork, part: keyof typeof created, name: string): void {
  try {
    refuseByFault(context, part, cluster.metadata.name);
  } catch (error) {
    const [reason, what] = created[part];
    context.events.warning(draft, reason, wrapped(`Failed to create ${what} ${name}`, error).message);
    throw error;
  }
}

/** Takes the network and the subnets that the spec names. */
function findExisting(work: ClusterWork): void {
  const { draft } = work;
  const failed = (message: string) => {
    const cause: Cause = { reason: 'OpenStackError', severity: 'Error', message };
    mark(draft, falseCondition('NetworkReady', cause));
  };
  const status = statusOf(draft);
  const wanted = draft.spec.network;
  if (wanted !== undefined) {
    try {
      const { id, name } = findNetwork(work, wanted);
      status.network = { ...status.network, id, name };
    } catch (cause) {
      failed(wrapped('Failed to find network', cause).message);
      markFailed(draft, wrapped('failed to find network', cause), { fatal: false });
      throw wrapped('error fetching cluster network', cause);
    }
  }
  try {
    const subnets = findSubnets(work);
    const networkId = status.network?.id ?? subnets[0]?.networkId;
    const network = work.context.state.networks.find(({ id }) => id === networkId);
    if (network === undefined) throw new Error(noMatches);
    status.network = { id: network.id, name: network.name, subnets: subnets.map(shownSubnet) };
  } catch (cause) {
    failed(wrapped('Failed to get cluster subnets', cause).message);
    throw cause;
  }
  mark(draft, trueCondition('NetworkReady'));
}

function findSubnets({ context, draft }: ClusterWork): Subnet[] {
  const { subnets: wanted = [] } = draft.spec;
  const networkId = statusOf(draft).network?.id ?? '';
  const within = context.state.subnets.filter((subnet) => networkId === '' || subnet.networkId === networkId);
  if (wanted.length === 0) {
    if (networkId === '') throw new Error('no network or subnets specified in OpenStackCluster spec');
    if (within.length > 0) return within;
    throw fatal(draft, wrapped('failed to find subnets', new FilterMatchError(noMatches)));
  }
  return wanted.map((reference, index) => {
    const found = within.filter((subnet) => matches(subnet, reference));
    try {
      return only(found);
    } catch (cause) {
      throw fatal(draft, wrapped(`failed to find subnet ${index} in network ${networkId}`, cause));
    }
  });
}

function fatal(draft: ClusterWork['draft'], error: Error): Error {
  markFailed(draft, error, { fatal: true });
  return error;
}

/** @throws Error as Neutron refuses an unknown id, or as CAPO refuses a filter */
function findNetwork({ context }: ClusterWork, reference: Reference): Network {
  const found = context.state.networks.filter((network) => matches(network, reference));
  if (reference.id === undefined || found.length > 0) return only(found);
  const path = `/networks/${reference.id}`;
  const refusal = new ApiError(404, `Network ${reference.id} could not be found.`, 'NetworkNotFound');
  throw requestError(context.cloudUrl, { service: 'network', method: 'GET', path, expected: [200] }, refusal);
}

function matches({ id, name }: { readonly id: string; readonly name: string }, reference: Reference): boolean {
  return reference.id === undefined ? name === reference.filter?.name : id === reference.id;
}

function only<T>(found: readonly T[]): T {
  const [first] = found;
  if (first === undefined) throw new FilterMatchError(noMatches);
  if (found.length > 1) throw new FilterMatchError(multipleMatches);
  return first;
}

function shownSubnet({ id, name, cidr }: Subnet): { id: string; name: string; cidr: string } {
  return { id, name, cidr };
}
