import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';

/** A condition of Cluster API's v1beta1 contract, which CAPO 0.14 writes. */
export const condition = z.object({
  type: z.string(),
  status: z.enum(['True', 'False', 'Unknown']),
  severity: z.enum(['Error', 'Warning', 'Info']).optional(),
  /** Absent rather than ''. */
  reason: z.string().optional(),
  /** Absent rather than ''. */
  message: z.string().optional(),
  lastTransitionTime: z.string(),
});
export type Condition = z.infer<typeof condition>;

/** A condition without its time, which `setCondition` knows. */
export type ConditionState = Omit<Condition, 'lastTransitionTime'>;

export function trueCondition(type: string): ConditionState {
  return { type, status: 'True' };
}

export interface Cause {
  readonly reason: string;
  readonly severity: 'Error' | 'Warning' | 'Info';
  /** @default none */
  readonly message?: string;
}

export function falseCondition(type: string, { reason, severity, message = '' }: Cause): ConditionState {
  return { type, status: 'False', severity, reason, ...(message === '' ? {} : { message }) };
}

export function unknownCondition(type: string, reason: string, message: string): ConditionState {
  return { type, status: 'Unknown', reason, message };
}

/** The conditions with that one set: sorted, Ready first, the time kept where nothing changed (conditions/setter.go). */
export function setCondition(conditions: readonly Condition[], state: ConditionState, now: Date): Condition[] {
  const previous = conditions.find(({ type }) => type === state.type);
  const time = previous?.lastTransitionTime ?? '';
  const unchanged = isDeepStrictEqual(previous, { ...state, lastTransitionTime: time });
  // Times of the API have no fractions.
  const lastTransitionTime = unchanged ? time : `${now.toISOString().slice(0, 19)}Z`;
  const others = conditions.filter(({ type }) => type !== state.type);
  return [...others, { ...state, lastTransitionTime }].sort(readyFirst);
}

function readyFirst(one: Condition, other: Condition): number {
  if (one.type === other.type) return 0;
  if (one.type === 'Ready' || other.type === 'Ready') return one.type === 'Ready' ? -1 : 1;
  return one.type < other.type ? -1 : 1;
}

/** What Ready says of the conditions of those types, the first of the worst; undefined where there is none of them. */
export function summary(conditions: readonly Condition[], types: readonly string[]): ConditionState | undefined {
  const inScope = types.flatMap((type) => conditions.filter((candidate) => candidate.type === type));
  const worst = inScope.toSorted((one, other) => priority(one) - priority(other))[0];
  if (worst === undefined) return undefined;
  const { lastTransitionTime: _, ...state } = worst;
  return { ...state, type: 'Ready' };
}

/** conditions/merge.go: what is unknown counts less than what is well. */
function priority({ status, severity }: Condition): number {
  if (status !== 'False') return status === 'True' ? 3 : 4;
  return severity === 'Error' ? 0 : severity === 'Warning' ? 1 : 2;
}
