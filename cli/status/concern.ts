import type { Condition } from '../../shared/status/views/condition.ts';
import { isFault } from '../../shared/status/views/condition.ts';

/** A condition that is not as it should be in the long run. */
export interface Concern {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** Something went wrong, rather than is going on. */
  readonly isFault: boolean;
}

/** Conditions of Cluster API that are True while something goes on (Cluster API, v1beta2 conditions of negative polarity). */
const negative = new Set(['Deleting', 'Paused', 'Remediating', 'RollingOut', 'ScalingDown', 'ScalingUp']);
/** What is as usual in a Deployment. */
const usual = new Set(['ReplicaFailure']);

/** The conditions that are not good, faults first. */
export function concernsOf(conditions: readonly Condition[]): readonly Concern[] {
  return conditions
    .filter((condition) => !isGood(condition))
    .map((condition) => {
      const { type, status, reason, message } = condition;
      return { type, status, reason, message: message.trim(), isFault: isFault(condition) };
    })
    .toSorted((one, other) => Number(other.isFault) - Number(one.isFault));
}

function isGood({ type, status }: Condition): boolean {
  if (negative.has(type) || usual.has(type)) return status === 'False';
  return status === 'True';
}
