import type { Server } from '../openstack/state.ts';
import { type CapoContext, isPaused, ownerMachine } from './capo-context.ts';
import { projectOf } from './cloud-identity.ts';
import {
  type ConditionState,
  falseCondition,
  setCondition,
  summary,
  trueCondition,
  unknownCondition,
} from './condition.ts';
import {
  clusterNameLabel,
  isControlPlane,
  type Machine,
  type OpenStackCluster,
  type OpenStackMachine,
  type OpenStackServer,
  pathOf,
} from './infrastructure-objects.ts';
import { addFinalizer, fieldManager, isMissing, isReleased, removeFinalizer, saveDraft } from './object-draft.ts';
import { keyOf } from './object-store.ts';
import { serverSpec } from './server-spec.ts';

const finalizer = 'openstackmachine.infrastructure.cluster.x-k8s.io';
const deletedMessage = 'The server was unexpectedly deleted';

interface MachineWork {
  readonly context: CapoContext;
  readonly machine: Machine;
  readonly cluster: OpenStackCluster;
  /** Changed in place. */
  readonly draft: OpenStackMachine;
}

/** controllers/openstackmachine_controller.go; the result is when to look again, in ms. */
export async function reconcileOpenStackMachine(context: CapoContext, key: string): Promise<number | undefined> {
  const store = context.stores.openStackMachine;
  const before = store.get(key);
  if (before === undefined || isReleased(before, finalizer)) return undefined;
  const machine = ownerMachine(context, before);
  if (machine === undefined) return undefined;
  const { namespace } = before.metadata;
  const owner = context.stores.cluster.get(`${namespace}/${machine.metadata.labels?.[clusterNameLabel]}`);
  if (owner === undefined || isPaused(owner, before)) return undefined;
  const cluster = context.stores.openStackCluster.get(`${namespace}/${owner.spec.infrastructureRef?.name}`);
  if (cluster === undefined) throw new Error('error getting infra provider cluster');
  const identityRef = before.spec.identityRef ?? cluster.spec.identityRef;
  await projectOf(context.api, context.identity, { namespace, identityRef });
  const draft = structuredClone(before);
  const work: MachineWork = { context, machine, cluster, draft };
  try {
    return await (draft.metadata.deletionTimestamp === undefined ? reconcileNormal(work) : reconcileDelete(work));
  } finally {
    sumUp(work);
    await saveDraft(context, store, { before, draft });
  }
}

function mark(draft: OpenStackMachine, state: ConditionState): void {
  draft.status ??= {};
  draft.status.conditions = setCondition(draft.status.conditions ?? [], state, new Date());
}

function sumUp({ machine, draft }: MachineWork): void {
  const types = ['InstanceReady', ...(isControlPlane(machine) ? ['APIServerIngressReadyCondition'] : [])];
  const ready = summary(draft.status?.conditions ?? [], types);
  if (ready !== undefined) mark(draft, ready);
}

async function reconcileNormal(work: MachineWork): Promise<number | undefined> {
  const { context, machine, cluster, draft } = work;
  if (draft.status?.failureReason !== undefined || draft.status?.failureMessage !== undefined) return undefined;
  if (cluster.status?.ready !== true) {
    mark(draft, falseCondition('InstanceReady', { reason: 'WaitingForClusterInfrastructure', severity: 'Info' }));
    return context.wait(15);
  }
  if (machine.spec.bootstrap?.dataSecretName === undefined) {
    mark(draft, falseCondition('InstanceReady', { reason: 'WaitingForBootstrapData', severity: 'Info' }));
    return undefined;
  }
  if (addFinalizer(draft, finalizer)) return undefined;
  const server = context.stores.openStackServer.get(keyOf(draft)) ?? (await createServerObject(work));
  // Nothing is said of a server that is not ready, whatever is wrong with it.
  if (server.status?.ready !== true) return undefined;
  return takeOver(work, server);
}

async function createServerObject({ context, machine, cluster, draft }: MachineWork): Promise<OpenStackServer> {
  const { apiVersion, kind, metadata, spec } = draft;
  const { type } = context.stores.openStackServer.kind;
  const created = await context.api.call('POST', `${pathOf(type, metadata.namespace)}?fieldManager=${fieldManager}`, {
    apiVersion: type.apiVersion,
    kind: type.kind,
    metadata: {
      name: metadata.name,
      namespace: metadata.namespace,
      labels: { [clusterNameLabel]: cluster.metadata.labels?.[clusterNameLabel] ?? '' },
      ownerReferences: [{ apiVersion, kind, name: metadata.name, uid: metadata.uid }],
    },
    spec: serverSpec({ machine, spec, cluster }),
  });
  return context.stores.openStackServer.put(created);
}

/** Takes over from a server that is ready. */
function takeOver(work: MachineWork, serverObject: OpenStackServer): number | undefined {
  const { context, machine, draft } = work;
  draft.status ??= {};
  const { instanceID } = serverObject.status ?? {};
  const server = context.state.servers.find(({ id }) => id === instanceID);
  if (server === undefined) {
    const cause = { reason: 'InstanceDeleted', severity: 'Error', message: deletedMessage } as const;
    mark(draft, falseCondition('InstanceReady', cause));
    draft.status.failureReason = 'UpdateError';
    draft.status.failureMessage = deletedMessage;
    return undefined;
  }
  draft.status.addresses = addressesOf(server);
  if (isControlPlane(machine)) {
    associateFloatingIp(work, server);
    mark(draft, trueCondition('APIServerIngressReadyCondition'));
  }
  return takeState(work, serverObject, server.id);
}

function addressesOf(server: Server): { type: string; address: string }[] {
  const addresses = Object.entries(server.addresses ?? {})
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, list]) => list)
    .map(({ addr, type }) => ({ type: type === 'fixed' ? 'InternalIP' : 'ExternalIP', address: addr }));
  return [...addresses, { type: 'InternalDNS', address: server.name }];
}

/** Without a load balancer the first control plane machine gets the floating IP of the API. */
function associateFloatingIp({ context, cluster, draft }: MachineWork, server: Server): void {
  const { apiServerLoadBalancer, disableAPIServerFloatingIP, controlPlaneEndpoint } = cluster.spec;
  if (apiServerLoadBalancer?.enabled === true || disableAPIServerFloatingIP === true) return;
  const addr = controlPlaneEndpoint?.host ?? '';
  const names = context.stores.openStackServer.list().filter(({ metadata }) => {
    return metadata.labels?.[clusterNameLabel] === cluster.metadata.labels?.[clusterNameLabel];
  });
  const siblings = new Set(names.map(({ metadata }) => metadata.name));
  const isTaken = context.state.servers
    .filter(({ name }) => siblings.has(name))
    .some(({ addresses = {} }) =>
      Object.values(addresses).some((list) => list.some(({ type }) => type === 'floating')),
    );
  const [first] = Object.values(server.addresses ?? {});
  if (isTaken || first === undefined) return;
  first.push({ addr, version: 4, type: 'floating' });
  const message = `Associated floating IP ${addr} with port of ${server.name}`;
  context.events.normal(draft, 'SuccessfulAssociateFloatingIP', message);
}

function takeState(work: MachineWork, serverObject: OpenStackServer, id: string): number | undefined {
  const { context, machine, draft } = work;
  const status = draft.status ?? {};
  const state = serverObject.status?.instanceState ?? '';
  if (state === 'ACTIVE') {
    mark(draft, trueCondition('InstanceReady'));
    draft.spec.providerID = `openstack://${draft.spec.identityRef?.region ?? ''}/${id}`;
    status.instanceID = id;
    status.ready = true;
    status.initialization = { provisioned: true };
    return undefined;
  }
  if (state === 'ERROR') {
    if (machine.status?.nodeRef === undefined) {
      status.failureReason = 'UpdateError';
      status.failureMessage = `instance state ${state} is unexpected`;
    }
    mark(draft, falseCondition('InstanceReady', { reason: 'InstanceStateError', severity: 'Error' }));
    return undefined;
  }
  if (state === 'DELETED') {
    mark(draft, falseCondition('InstanceReady', { reason: 'InstanceDeleted', severity: 'Error' }));
    return undefined;
  }
  if (state === 'BUILD' || state === '') return context.wait(10);
  mark(draft, unknownCondition('InstanceReady', 'InstanceNotReady', `Instance state is not handled: ${state}`));
  return context.wait(60);
}

/** The OpenStackServer goes first; nothing tells when it is gone, so CAPO looks again. */
async function reconcileDelete({ context, cluster, draft }: MachineWork): Promise<number | undefined> {
  const server = context.stores.openStackServer.get(keyOf(draft));
  const isUnprepared = cluster.status?.ready !== true || cluster.status.network === undefined;
  if (isUnprepared || server === undefined) {
    removeFinalizer(draft, finalizer);
    return undefined;
  }
  const { type } = context.stores.openStackServer.kind;
  try {
    await context.api.call('DELETE', pathOf(type, draft.metadata.namespace, draft.metadata.name));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return context.wait(10);
}
