import { type OperationRecord, readRecord, recordAnnotation } from '../kubernetes/operation-record.ts';

export type Action = 'CREATE' | 'UPDATE' | 'DELETE';

/** The records that stand on a Cluster. */
export interface Operations {
  readonly cluster: OperationRecord | null;
  readonly nodegroups: ReadonlyMap<string, OperationRecord>;
}

const nodegroupPrefix = recordAnnotation('');

export function readOperations(annotations: Readonly<Record<string, string>>): Operations {
  const nodegroups = new Map<string, OperationRecord>();
  for (const key of Object.keys(annotations)) {
    if (!key.startsWith(nodegroupPrefix)) continue;
    const name = key.slice(nodegroupPrefix.length);
    const record = readRecord(annotations, name);
    if (record !== null && name !== '') nodegroups.set(name, record);
  }
  return { cluster: readRecord(annotations, null), nodegroups };
}

/** The newest of all records: the operation that the cluster's row in Magnum shows. */
export function newestOperation({ cluster, nodegroups }: Operations): OperationRecord | null {
  let newest = cluster;
  for (const record of nodegroups.values()) {
    if (newest === null || isNewer(record, newest)) newest = record;
  }
  return newest;
}

/**
 * The operation that a nodegroup's row shows: its own, or the cluster's where that concerns every nodegroup and is newer.
 * null where the cluster's last operation was about something else.
 */
export function operationOf(operations: Operations, nodegroup: string): OperationRecord | null {
  const { cluster } = operations;
  const own = operations.nodegroups.get(nodegroup) ?? null;
  if (cluster === null || !concernsNodegroups(cluster)) return own;
  return own === null || isNewer(cluster, own) ? cluster : own;
}

/** Whether the nodegroup has an operation of its own since the cluster's; that it has ended the cluster's is none. */
export function hasNewerOperation({ cluster, nodegroups }: Operations, nodegroup: string): boolean {
  const own = nodegroups.get(nodegroup);
  return own !== undefined && (cluster === null || (own.id !== cluster.id && !isNewer(cluster, own)));
}

function concernsNodegroups({ type }: OperationRecord): boolean {
  return ['cluster.create', 'cluster.upgrade', 'cluster.delete'].includes(type);
}

function isNewer(record: OperationRecord, other: OperationRecord): boolean {
  return Date.parse(record.started) > Date.parse(other.started);
}

/** What the cluster's row says: whatever happens to a nodegroup is an update of the cluster. */
export function clusterAction({ type }: OperationRecord): Action {
  if (type === 'cluster.create') return 'CREATE';
  return type === 'cluster.delete' ? 'DELETE' : 'UPDATE';
}

export function nodegroupAction({ type }: OperationRecord): Action {
  if (type.endsWith('.create')) return 'CREATE';
  return type.endsWith('.delete') ? 'DELETE' : 'UPDATE';
}

/** The action of a status of Magnum, as `CREATE` of `CREATE_IN_PROGRESS`. */
export function actionOfStatus(status: string | null): Action | null {
  const prefix = status?.split('_')[0];
  return prefix === 'CREATE' || prefix === 'UPDATE' || prefix === 'DELETE' ? prefix : null;
}

/** Whether the record's deadline has passed. */
export function isOverdue({ deadline }: OperationRecord, now: Date): boolean {
  return deadline !== null && Date.parse(deadline) < now.getTime();
}
