import { InvalidEventError, type RejectedError } from './errors.ts';
import type { EventData } from './event-types.ts';
import { schemaUri } from './schema-uri.ts';

type Accepted = EventData<'org.openstack.magnum.operation.accepted.v1'>;
type Rejected = EventData<'org.openstack.magnum.operation.rejected.v1'>;

/** The reply to an operation that is recorded. */
export function acceptedReply(operation: Omit<Accepted, 'notes'> & { readonly notes?: readonly string[] }) {
  const data: Accepted = { ...operation, notes: [...(operation.notes ?? [])] };
  const type = 'org.openstack.magnum.operation.accepted.v1';
  return { type, dataschema: schemaUri(type), data } as const;
}

/** The reply to an operation that is refused. */
export function rejectedReply(error: RejectedError) {
  const faults = error.faults.map((fault) => ({ ...fault }));
  const data: Rejected = { ...error.faults[0], message: error.message, faults };
  const type = 'org.openstack.magnum.operation.rejected.v1';
  return { type, dataschema: schemaUri(type), data } as const;
}

/**
 * The Lease and the reply go by the subject, the work by the data: they have to be the same cluster.
 * @throws InvalidEventError
 */
export function checkSubject(event: {
  readonly subject: string;
  readonly data: { readonly cluster: { readonly uuid: string } };
}): void {
  if (event.subject === event.data.cluster.uuid) return;
  throw new InvalidEventError("The event's subject is not the UUID of the cluster in its data.");
}
