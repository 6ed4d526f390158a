import { growthExponent, linear } from './growth.ts';
import type { Measurement } from './measurement.ts';
import { median, medianOf } from './samples.ts';

/** What one event cost with a number of things. */
export interface Sample {
  readonly count: number;
  /** Milliseconds. */
  readonly duration: number;
  /** Kubernetes calls; left out where none can be made. */
  readonly calls?: number;
}

export interface Growth {
  /** E.g. `create`. */
  readonly what: string;
  /** What grows, e.g. `nodegroups`. */
  readonly of: string;
  readonly samples: readonly Sample[];
}

/** Time and calls by the number, and by which power of it they grow. */
export function growthMeasurements({ what, of, samples }: Growth): Measurement[] {
  const counts = [...new Set(samples.map(({ count }) => count))].toSorted((a, b) => a - b);
  const durations = counts.map((count) => samples.filter((one) => one.count === count).map((one) => one.duration));
  const calls = counts.map((count) => samples.filter((one) => one.count === count).flatMap((one) => one.calls ?? []));
  const last = counts.slice(-2).join(' to ');
  const exponent = (values: readonly (readonly number[])[]) =>
    growthExponent(counts.map((count, index) => ({ count, cost: median(values[index] ?? []) })));
  const power = { unit: '', budget: linear };
  const hasCalls = calls.some((some) => some.length > 0);
  return [
    ...counts.map((count, index): Measurement => {
      const measured = medianOf(durations[index] ?? []);
      return { what: `${what}, ${count} ${of}`, ...measured, unit: 'ms', budget: null };
    }),
    { what: `${what}, power of growth from ${last} ${of}`, value: exponent(durations), ...power },
    ...(hasCalls ? callMeasurements() : []),
  ];

  function callMeasurements(): Measurement[] {
    const each = counts.map((count, index): Measurement => {
      const value = median(calls[index] ?? []);
      return { what: `Kubernetes calls of ${what}, ${count} ${of}`, value, unit: '', budget: null };
    });
    const value = exponent(calls);
    return [...each, { what: `Kubernetes calls of ${what}, power of growth from ${last} ${of}`, value, ...power }];
  }
}
