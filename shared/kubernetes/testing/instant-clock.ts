import type { Clock } from '../clock.ts';

/** A clock whose sleeps pass at once and are remembered. */
export interface InstantClock extends Clock {
  readonly sleeps: readonly number[];
}

/** @param onSleep called before each sleep passes */
export function instantClock(onSleep?: () => Promise<void>): InstantClock {
  let time = 0;
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => Date.parse('2026-01-01T00:00:00Z') + time,
    monotonic: () => time,
    sleep: async (milliseconds) => {
      await onSleep?.();
      sleeps.push(milliseconds);
      time += milliseconds;
    },
  };
}
