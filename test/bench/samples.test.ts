import { expect, test } from 'vitest';
import { median, medianOf, percentile } from './samples.ts';

test.each([
  [[3, 1, 2], 0.5, 2],
  [[1, 2, 3, 4], 0.95, 4],
  [[1, 2, 3, 4], 0, 1],
  [[7], 0.95, 7],
])('of %j the share %d is below %d', (values, share, expected) => {
  expect(percentile(values, share)).toBe(expected);
});

test('a percentile of nothing is no number', () => {
  expect(median([])).toBeNaN();
});

test('samples are sorted by value, and stay as they were', () => {
  const values = [10, 9, 100];
  expect(median(values)).toBe(10);
  expect(values).toEqual([10, 9, 100]);
});

test('a median comes with the number of its samples and their middle half', () => {
  expect(medianOf([1, 2, 3, 4, 5, 6, 7, 100])).toEqual({ value: 5, spread: { count: 8, low: 3, high: 7 } });
});
