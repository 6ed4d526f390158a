import { stripVTControlCharacters } from 'node:util';
import { oneLine } from './one-line.ts';

export interface TableOptions {
  /** Characters that a line may have; the last column is cut there. @default no limit */
  readonly columns?: number | undefined;
}

const gap = '  ';

/** Rows as columns of text below their titles; cells may be coloured. No line ends with spaces. */
export function table(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  { columns = Number.POSITIVE_INFINITY }: TableOptions = {},
): readonly string[] {
  const lines = [titles, ...rows].map((cells) => cells.map(oneLine));
  const widths = titles.map((_title, index) => Math.max(...lines.map((cells) => width(cells[index] ?? ''))));
  const before = widths.slice(0, -1).reduce((sum, each) => sum + each + gap.length, 0);
  return lines.map((cells) => {
    const padded = widths.map((each, index) => {
      const cell = cells[index] ?? '';
      return index === widths.length - 1 ? cut(cell, columns - before) : cell + ' '.repeat(each - width(cell));
    });
    return padded.join(gap).trimEnd();
  });
}

/** A text of at most `room` characters; one that is cut loses its colours. */
export function cut(text: string, room: number): string {
  if (width(text) <= room) return text;
  const plain = stripVTControlCharacters(text);
  return room < 1 ? '' : `${plain.slice(0, room - 1)}…`;
}

function width(text: string): number {
  return stripVTControlCharacters(text).length;
}
