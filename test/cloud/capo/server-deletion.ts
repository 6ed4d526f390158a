import { type ConditionState, falseCondition } from './condition.ts';
import { removeFinalizer } from './object-draft.ts';
import type { ServerWork } from './server-creation.ts';

/** CAPO looks every 10 s, for 5 minutes, whether Nova has removed a server (compute/instance.go). */
const removalWait = { everySeconds: 10, looks: 30 };

/** Removes the server and its ports from OpenStack, then the finalizer (openstackserver_controller.go, reconcileDelete). */
export async function deleteServer(
  work: ServerWork,
  finalizer: string,
  mark: (state: ConditionState) => void,
): Promise<void> {
  const { context, draft } = work;
  try {
    await deleteInstance(work);
  } catch (error) {
    const message = `Deleting instance failed: ${error instanceof Error ? error.message : error}`;
    mark(falseCondition('InstanceReady', { reason: 'InstanceDeleteFailed', severity: 'Error', message }));
    throw error;
  }
  for (const { id } of draft.status?.resources?.ports ?? []) {
    context.events.normal(draft, 'SuccessfulDeletePort', `Deleted port with id ${id}`);
  }
  removeFinalizer(draft, finalizer);
}

async function deleteInstance({ context, draft, projectId }: ServerWork): Promise<void> {
  const { state, nova, events } = context;
  const { name } = draft.metadata;
  const { instanceID } = draft.status ?? {};
  const find = () =>
    state.servers.find((server) => {
      return instanceID === undefined
        ? server.name === name && server.projectId === projectId
        : server.id === instanceID;
    });
  const server = find();
  if (server === undefined) return;
  nova.remove(server);
  for (let look = 1; find() !== undefined; look += 1) {
    if (look > removalWait.looks) {
      const message = `Failed to delete server ${name} with id ${server.id}: context deadline exceeded`;
      events.warning(draft, 'FailedDeleteServer', message);
      throw new Error('context deadline exceeded');
    }
    await context.sleep(removalWait.everySeconds);
  }
  events.normal(draft, 'SuccessfulDeleteServer', `Deleted server ${name} with id ${server.id}`);
}
