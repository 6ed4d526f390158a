import { isWithinBudget, type Measurement } from './measurement.ts';

const columns = ['what', 'measured', 'half of n samples', 'budget', '', 'reference'] as const;

/** Sections of measurements by their titles. */
export type TitledMeasurements = readonly (readonly [title: string, measurements: readonly Measurement[]])[];

/** One table for a terminal; a title stands before each section. */
export function asTable(sections: TitledMeasurements): string {
  const widths = columns.map((heading, column) => {
    const cells = sections.flatMap(([, measurements]) => measurements.map((one) => cellsOf(one)[column] ?? ''));
    return Math.max(heading.length, ...cells.map((cell) => cell.length));
  });
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const bodies = sections.map(([title, rows]) => ['', `${title}:`, ...rows.map((one) => line(cellsOf(one)))]);
  return [line(columns), ...bodies.flat()].join('\n');
}

/** A table in Markdown. */
export function asMarkdown(measurements: readonly Measurement[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = line(columns.map(() => '---'));
  return [line(columns), rule, ...measurements.map((one) => line(cellsOf(one).map(escaped)))].join('\n');
}

function escaped(cell: string): string {
  return cell.replaceAll('|', '\\|');
}

function cellsOf(one: Measurement): readonly string[] {
  const { what, value, unit, budget, spread, reference = '' } = one;
  const verdict = isWithinBudget(one) ? 'ok' : 'OVER';
  return [
    what,
    `${rounded(value)} ${unit}`.trim(),
    spread === undefined ? '' : `${rounded(spread.low)}–${rounded(spread.high)}, n = ${spread.count}`,
    budget === null ? '' : `≤ ${rounded(budget)} ${unit}`.trim(),
    budget === null ? '' : verdict,
    reference,
  ];
}

/** Three digits that say something; a whole number keeps none after the point. */
function rounded(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 100) return value.toFixed(0);
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}
