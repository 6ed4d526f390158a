import { countAt, listAt, textAt, timeAt } from './json-part.ts';

/** A condition of Cluster API's v1beta2 form, or of the older form with a severity that CAPO 0.14 writes. */
export interface Condition {
  readonly type: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** `Error`, `Warning` or `Info`; null in the v1beta2 form. */
  readonly severity: string | null;
  /** Milliseconds since the epoch. */
  readonly since: number | null;
  readonly observedGeneration: number | null;
}

export function readConditions(object: unknown): readonly Condition[] {
  return listAt(object, 'status', 'conditions').map((condition) => ({
    type: textAt(condition, 'type') ?? '',
    status: textAt(condition, 'status') ?? 'Unknown',
    reason: textAt(condition, 'reason') ?? '',
    message: textAt(condition, 'message') ?? '',
    severity: textAt(condition, 'severity'),
    since: timeAt(condition, 'lastTransitionTime'),
    observedGeneration: countAt(condition, 'observedGeneration'),
  }));
}

export function conditionOf(conditions: readonly Condition[], type: string): Condition | undefined {
  return conditions.find((condition) => condition.type === type);
}

export function isConditionTrue(conditions: readonly Condition[], type: string): boolean {
  return conditionOf(conditions, type)?.status === 'True';
}

/** Reasons of the v1beta2 form, which has no severity, that mean a fault and not only that something is being waited for. */
const faultReason = /Fail|Error|Invalid|NotFound|NotHealthy|Unhealthy|Timeout|CannotBeRemediated|Deleted$/;

/** Whether the condition says that something went wrong. */
export function isFault({ status, reason, severity }: Condition): boolean {
  if (status !== 'False') return false;
  if (severity !== null && severity !== '') return severity !== 'Info';
  return faultReason.test(reason);
}
