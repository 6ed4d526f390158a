import { randomUUID } from 'node:crypto';
import type { ExampleEvent } from './example-event.ts';

/** An event that adds a nodegroup to the cluster of a create event. */
export function nodegroupEvent(
  creation: ExampleEvent,
  name: string,
  fields: Readonly<Record<string, unknown>> = {},
): ExampleEvent {
  const worker = creation.data.nodegroups.find((group) => group['role'] === 'worker');
  const nodegroup = {
    ...worker,
    uuid: randomUUID(),
    name,
    role: 'gpu',
    is_default: false,
    labels: {},
    status: 'CREATE_IN_PROGRESS',
    ...fields,
  };
  return {
    ...creation,
    id: `req-${randomUUID()}`,
    type: 'org.openstack.magnum.nodegroup.create.v1',
    time: new Date().toISOString(),
    data: { ...creation.data, nodegroup, nodegroups: [...creation.data.nodegroups, nodegroup] },
  };
}
