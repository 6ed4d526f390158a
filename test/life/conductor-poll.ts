import { randomUUID } from 'node:crypto';
import type { ExampleEvent } from '../functions/example-event.ts';

/** Asks a function for the state of a cluster as Magnum's conductor does: with all it knows, but without tokens and keys. */
export function pollEvent(creation: ExampleEvent, stackId: string, what: 'status' | 'health'): object {
  const { certificates: _, context, ...data } = creation.data;
  const { token, ...known } = context;
  return {
    ...creation,
    id: `req-${randomUUID()}`,
    type: `org.openstack.magnum.cluster.${what}.requested.v1`,
    time: new Date().toISOString(),
    data: {
      ...data,
      context: known,
      cluster: { ...data.cluster, stack_id: stackId, status: 'CREATE_IN_PROGRESS' },
    },
  };
}
