import type { Spread } from './samples.ts';

/** One measured value with what it may be. */
export interface Measurement {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** Largest value that the project allows itself (design §10); null = shown for comparison. */
  readonly budget: number | null;
  /** Of the samples, where the value is their median. */
  readonly spread?: Spread;
  /** What the original driver, or the floor of the platform, has. */
  readonly reference?: string;
}

/** What one part of the bench has measured. */
export interface Section {
  readonly measurements: readonly Measurement[];
  /** Sentences on what was left out, and why. */
  readonly notes: readonly string[];
}

export function isWithinBudget({ value, budget }: Measurement): boolean {
  return budget === null || value <= budget;
}
