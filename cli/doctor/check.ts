import { sentenceOf } from '../errors.ts';
import type { CheckId } from './check-ids.ts';
import type { Surroundings } from './surroundings.ts';

/**
 * `failed`: clusters cannot be run like this. `warning`: they can, but somebody should look. `unknown`: whoever runs this may not see
 * it. `skipped`: it makes no sense before another check is good, or nothing was said to check it by.
 */
export type Verdict = 'ok' | 'warning' | 'failed' | 'unknown' | 'skipped';

/** One thing that a check has found. */
export interface Finding {
  readonly verdict: Verdict;
  /** One sentence. */
  readonly message: string;
}

/** One prerequisite. */
export interface Check {
  readonly id: CheckId;
  /** What is checked, for docs/doctor.md. */
  readonly description: string;
  /** What to do where it fails, in one sentence. */
  readonly remedy: string;
  /** Checks that have to be good for this one to make sense. @default none */
  readonly needs?: readonly CheckId[];
  /**
   * Reads, and judges what was read. What is good needs no more than one finding.
   * @throws ForbiddenError where whoever runs it may not read, any other error where it could not be read
   */
  readonly run: (surroundings: Surroundings) => Promise<readonly Finding[]>;
}

export function good(message: string): Finding {
  return { verdict: 'ok', message: sentenceOf(message) };
}

export function failure(message: string): Finding {
  return { verdict: 'failed', message: sentenceOf(message) };
}

export function warning(message: string): Finding {
  return { verdict: 'warning', message: sentenceOf(message) };
}

export function skipped(message: string): Finding {
  return { verdict: 'skipped', message: sentenceOf(message) };
}

/** The problems, or that there are none. */
export function goodUnless(problems: readonly Finding[], message: string): readonly Finding[] {
  return problems.length === 0 ? [good(message)] : problems;
}
