import { createHash } from 'node:crypto';
import type { StatusReport } from './progress.ts';

/** A short text that is the same exactly for reports that say the same, in whatever order their fields stand. */
export function reportHash(report: StatusReport): string {
  return createHash('sha256').update(JSON.stringify(report, byKey)).digest('hex').slice(0, 16);
}

/** Objects with their keys in order; lists keep theirs. */
function byKey(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
