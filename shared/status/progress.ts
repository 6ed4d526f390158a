import type { EventData } from '../contract/event-types.ts';
import type { OperationRecord } from '../kubernetes/operation-record.ts';
import { isOverdue } from './operations.ts';
import { sentence } from './reason/sentence.ts';

export type StatusReport = EventData<'org.openstack.magnum.cluster.status.v1'>;
export type NodegroupReport = StatusReport['nodegroups'][number];
export type State = StatusReport['state'];
export type Progress = Pick<StatusReport, 'operation' | 'action' | 'state' | 'status_reason'>;

interface Basis {
  /** null where the driver has recorded no operation. */
  readonly record: OperationRecord | null;
  /** What keeps the operation from being complete. */
  readonly blockers: readonly string[];
  /** Status of the row in Magnum; null where it is not known. */
  readonly magnumStatus: string | null;
  readonly now: Date;
}

/**
 * How far an operation is. What is complete stays so, whatever happens to the machines afterwards: that is health. What failed
 * can still become complete.
 */
export function stateOf({ record, blockers, magnumStatus, now }: Basis): State {
  if (blockers.length === 0) return 'COMPLETE';
  if (record === null) return stateOfRow(magnumStatus);
  if (record.completed !== null) return 'COMPLETE';
  return isOverdue(record, now) ? 'FAILED' : 'IN_PROGRESS';
}

function stateOfRow(status: string | null): State {
  if (status?.endsWith('_COMPLETE')) return 'COMPLETE';
  return status?.endsWith('_FAILED') ? 'FAILED' : 'IN_PROGRESS';
}

/** The first sentence of a reason where time ran out. */
export function overdueSentences(subject: string, record: OperationRecord | null, state: State): string[] {
  if (state !== 'FAILED' || record?.deadline == null) return [];
  return [sentence(`${subject} was not complete in time, by ${record.deadline}`)];
}

/** Of several, the one that a row over all of them shows: as long as one goes on, it goes on. */
export function overallState(states: readonly State[]): State {
  if (states.includes('IN_PROGRESS')) return 'IN_PROGRESS';
  return states.includes('FAILED') ? 'FAILED' : 'COMPLETE';
}
