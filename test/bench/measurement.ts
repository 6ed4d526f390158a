/** One measured value with what it may be. */
export interface Measurement {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** Largest value that the project allows itself (design §10); null = shown for comparison. */
  readonly budget: number | null;
  /** What the original driver, or the floor of the platform, has. */
  readonly reference?: string;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function isWithinBudget({ value, budget }: Measurement): boolean {
  return budget === null || value <= budget;
}

export function asTable(measurements: readonly Measurement[]): string {
  const rows = measurements.map((one) => [
    one.what,
    `${round(one.value)} ${one.unit}`.trim(),
    one.budget === null ? '' : `≤ ${round(one.budget)} ${one.unit}`.trim(),
    one.budget === null ? '' : isWithinBudget(one) ? 'ok' : 'OVER',
    one.reference ?? '',
  ]);
  const all = [['what', 'measured', 'budget', '', 'reference'], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2);
}
