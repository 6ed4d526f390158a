/** How far the samples lie apart of which a value is the median. */
export interface Spread {
  readonly count: number;
  /** First and third quartile: half of the samples lie between them. */
  readonly low: number;
  readonly high: number;
}

/** @returns NaN of nothing */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The median of samples with what shows their noise. */
export function medianOf(values: readonly number[]): { readonly value: number; readonly spread: Spread } {
  const spread = { count: values.length, low: percentile(values, 0.25), high: percentile(values, 0.75) };
  return { value: median(values), spread };
}
