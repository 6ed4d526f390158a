import { expect, test } from 'vitest';
import type { Measurement } from './measurement.ts';
import { asMarkdown, asTable } from './table.ts';

const measurements: readonly Measurement[] = [
  { what: 'size', value: 123.456, unit: 'KB', budget: 100 },
  {
    what: 'time',
    value: 12.345,
    unit: 'ms',
    budget: 20,
    spread: { count: 7, low: 11, high: 13.21 },
    reference: 'the original: 4.2 s',
  },
  { what: 'calls', value: 3, unit: '', budget: null },
];

test('a table has a column for everything, and says what is over its budget', () => {
  expect(asTable([['Some', measurements]])).toBe(
    [
      'what   measured  half of n samples  budget          reference',
      '',
      'Some:',
      'size   123 KB                       ≤ 100 KB  OVER',
      'time   12.3 ms   11–13.2, n = 7     ≤ 20 ms   ok    the original: 4.2 s',
      'calls  3',
    ].join('\n'),
  );
});

test('the columns of all sections are as wide as their widest cell', () => {
  const [heading = '', ...lines] = asTable([
    ['One', measurements.slice(0, 1)],
    ['Two', [{ what: 'a long description', value: 1, unit: '', budget: null }]],
  ]).split('\n');
  expect(lines.find((line) => line.startsWith('size'))?.indexOf('123 KB')).toBe(heading.indexOf('measured'));
});

test('Markdown has a row for each measurement, and no cell breaks it', () => {
  const [first] = measurements;
  const text = asMarkdown([{ what: 'a | b', value: 1.5, unit: '×', budget: 2 }, ...(first ? [first] : [])]);
  expect(text.split('\n')).toEqual([
    '| what | measured | half of n samples | budget |  | reference |',
    '| --- | --- | --- | --- | --- | --- |',
    '| a \\| b | 1.50 × |  | ≤ 2 × | ok |  |',
    '| size | 123 KB |  | ≤ 100 KB | OVER |  |',
  ]);
});
