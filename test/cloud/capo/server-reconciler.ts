import { randomUUID } from 'node:crypto';
import type { Server } from '../openstack/state.ts';
import { type CapoContext, isPaused } from './capo-context.ts';
import { projectOf } from './cloud-identity.ts';
import {
  type ConditionState,
  falseCondition,
  setCondition,
  summary,
  trueCondition,
  unknownCondition,
} from './condition.ts';
import { clusterNameLabel, type OpenStackServer } from './infrastructure-objects.ts';
import { addFinalizer, isReleased, saveDraft } from './object-draft.ts';
import { createInstance, machineOf, type ServerWork, targetOf } from './server-creation.ts';
import { deleteServer } from './server-deletion.ts';
import { resolveServer } from './server-resolution.ts';

const finalizer = 'openstackserver.infrastructure.cluster.x-k8s.io';
const deletedMessage = 'The server was unexpectedly deleted';

/** controllers/openstackserver_controller.go; the result is when to look again, in ms. */
export async function reconcileOpenStackServer(context: CapoContext, key: string): Promise<number | undefined> {
  const store = context.stores.openStackServer;
  const before = store.get(key);
  if (before === undefined || isReleased(before, finalizer)) return undefined;
  const { namespace, labels } = before.metadata;
  const clusterName = labels?.[clusterNameLabel] ?? '';
  const projectId = await projectOf(context.api, context.identity, { namespace, identityRef: before.spec.identityRef });
  if (isPaused(context.stores.cluster.get(`${namespace}/${clusterName}`), before)) return undefined;
  const machine = machineOf(context, before);
  const draft = structuredClone(before);
  const work = { context, machine, target: targetOf(before, machine, clusterName), draft, projectId };
  try {
    return await (draft.metadata.deletionTimestamp === undefined ? reconcileNormal(work) : reconcileDelete(work));
  } finally {
    const ready = summary(draft.status?.conditions ?? [], ['InstanceReady']);
    if (ready !== undefined) mark(draft, ready);
    await saveDraft(context, store, { before, draft });
  }
}

function mark(draft: OpenStackServer, state: ConditionState): void {
  draft.status ??= {};
  draft.status.conditions = setCondition(draft.status.conditions ?? [], state, new Date());
}

async function reconcileDelete(work: ServerWork): Promise<undefined> {
  const { resolved, resources } = work.draft.status ?? {};
  if (resolved === undefined || resources === undefined) await reconcileNormal(work);
  await deleteServer(work, finalizer, (state) => mark(work.draft, state));
}

async function reconcileNormal(work: ServerWork): Promise<number | undefined> {
  const { context, draft } = work;
  draft.status ??= {};
  const { status } = draft;
  // What failed once stays so: CAPO tries it never again.
  if (status.instanceState === 'ERROR') return undefined;
  status.resolved ??= {};
  const changed = resolveServer(draft, status.resolved, context.state);
  // The finalizer and the ids are written before anything is made in OpenStack.
  if (addFinalizer(draft, finalizer) || changed) return undefined;
  ensurePorts(work);
  const server = await getOrCreateServer(work);
  if (server === undefined) return undefined;
  const { id, state } = server;
  status.instanceID = id;
  status.instanceState = state;
  return takeState(work, state);
}

/** Ports are no part of the simulated Neutron: the status alone remembers them. */
function ensurePorts({ context, draft }: ServerWork): void {
  const status = draft.status ?? {};
  status.resources ??= {};
  const { ports = [] } = status.resources;
  for (const { name } of (status.resolved?.ports ?? []).slice(ports.length)) {
    const id = randomUUID();
    ports.push({ id });
    context.events.normal(draft, 'SuccessfulCreatePort', `Created port ${name} with id ${id}`);
  }
  status.resources.ports = ports;
}

interface SeenServer {
  readonly id: string;
  /** '' right after the creation, whose answer says none. */
  readonly state: string;
}

async function getOrCreateServer(work: ServerWork): Promise<SeenServer | undefined> {
  const { context, draft, projectId } = work;
  const { instanceID } = draft.status ?? {};
  const { servers } = context.state;
  if (instanceID !== undefined) {
    const known = servers.find(({ id }) => id === instanceID);
    if (known !== undefined) return seen(known);
    const cause = { reason: 'InstanceNotFound', severity: 'Error', message: deletedMessage } as const;
    mark(draft, falseCondition('InstanceReady', cause));
    return undefined;
  }
  const { name } = draft.metadata;
  const sameName = servers.find((server) => server.name === name && server.projectId === projectId);
  if (sameName !== undefined) return seen(sameName);
  try {
    const { id } = await createInstance(work);
    return { id, state: '' };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (message === 'failed to get user data secret value') throw error;
    mark(draft, falseCondition('InstanceReady', { reason: 'InstanceCreateFailed', severity: 'Error', message }));
    draft.status = { ...draft.status, instanceState: 'ERROR' };
    throw error;
  }
}

function seen({ id, status }: Server): SeenServer {
  return { id, state: status };
}

function takeState({ context, draft }: ServerWork, state: string): number | undefined {
  const failed = (reason: string) => mark(draft, falseCondition('InstanceReady', { reason, severity: 'Error' }));
  if (state === 'ACTIVE') {
    mark(draft, trueCondition('InstanceReady'));
    draft.status = { ...draft.status, ready: true };
    return undefined;
  }
  // Without a message: what Nova says of it stands in the server's fault alone.
  if (state === 'ERROR') return void failed('InstanceStateError');
  if (state === 'DELETED') return void failed('InstanceDeleted');
  if (state === 'BUILD' || state === '') return context.wait(10);
  mark(draft, unknownCondition('InstanceReady', 'InstanceNotReady', `Instance state is not handled: ${state}`));
  return context.wait(60);
}
