import * as z from 'zod';

/** Annotation of the Cluster with the record of the cluster's own last operation. */
const clusterAnnotation = 'magnum.openstack.org/operation';
/** Prefix of the Cluster's annotation with the record of a nodegroup's last operation; its name follows. */
const nodegroupAnnotationPrefix = 'nodegroup.magnum.openstack.org/';

const operationRecord = z.object({
  /** Id of the event that started it; the idempotency key. */
  id: z.string(),
  /** Event type without prefix and version, e.g. `cluster.create`. */
  type: z.string(),
  /** The event's `time`. */
  started: z.iso.datetime({ offset: true }),
  /** When the operation counts as failed; null = never. */
  deadline: z.iso.datetime({ offset: true }).nullable(),
  /** When it was seen complete; null = it is open. */
  completed: z.iso.datetime({ offset: true }).nullable(),
  /** What the reply said of the change, for when the event comes again and there is nothing left to see of it. @default none */
  notes: z.array(z.string()).optional(),
});

/** What is known of the last operation on a cluster or a nodegroup. */
export type OperationRecord = z.infer<typeof operationRecord>;

/** Key of the annotation for the cluster's own record (null) or that of a nodegroup. */
export function recordAnnotation(nodegroup: string | null): string {
  return nodegroup === null ? clusterAnnotation : `${nodegroupAnnotationPrefix}${nodegroup}`;
}

/** A record as it stands in its annotation; null when there is none that can be read. */
export function readRecord(
  annotations: Readonly<Record<string, string>> | undefined,
  nodegroup: string | null,
): OperationRecord | null {
  return parseRecord(annotations?.[recordAnnotation(nodegroup)]);
}

/** The record that a text holds; null where it holds none. */
export function parseRecord(text: string | undefined): OperationRecord | null {
  if (text === undefined) return null;
  try {
    return asRecord(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The value as a record; null where it is none. */
export function asRecord(value: unknown): OperationRecord | null {
  const parsed = operationRecord.safeParse(value);
  return parsed.success ? parsed.data : null;
}

/** A new open record. `minutes` until its deadline; 0 = none. */
export function openRecord(event: { id: string; time: string }, type: string, minutes: number): OperationRecord {
  const started = new Date(event.time);
  const deadline = minutes === 0 ? null : new Date(started.getTime() + minutes * 60_000).toISOString();
  return { id: event.id, type, started: started.toISOString(), deadline, completed: null };
}

/** Whether an event is older than its target's record, so that carrying it out would undo newer work. */
export function isSuperseded(event: { id: string; time: string }, record: OperationRecord | null): boolean {
  return record !== null && record.id !== event.id && Date.parse(event.time) < Date.parse(record.started);
}
