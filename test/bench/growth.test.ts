import { expect, test } from 'vitest';
import { type Cost, growthExponent, linear, slope } from './growth.ts';

function costs(cost: (count: number) => number): Cost[] {
  return [1, 10, 100].map((count) => ({ count, cost: cost(count) }));
}

test.each<[string, (count: number) => number, number]>([
  ['is constant', () => 7, 0],
  ['is nothing', () => 0, 0],
  ['is linear', (count) => 3 * count, 1],
  ['is quadratic', (count) => count ** 2, 2],
  ['shrinks', (count) => 1 / count, -1],
])('a cost that %s has its power', (_what, cost, power) => {
  expect(growthExponent(costs(cost))).toBeCloseTo(power, 10);
});

test('what is constant beside a linear cost stays within linear, and a quadratic cost does not hide behind it', () => {
  expect(growthExponent(costs((count) => 50 + count))).toBeLessThan(linear);
  expect(growthExponent(costs((count) => 50 + count ** 2))).toBeGreaterThan(linear);
});

test('the last step counts, in whatever order the costs come', () => {
  const unsorted = [
    { count: 100, cost: 100 },
    { count: 1, cost: 100 },
    { count: 10, cost: 10 },
  ];
  expect(growthExponent(unsorted)).toBeCloseTo(1, 10);
});

test('one cost has no growth', () => {
  expect(() => growthExponent([{ count: 1, cost: 1 }])).toThrow('no growth without two costs');
});

test('the best line through points has their slope, and noise around it changes little', () => {
  const line = [1, 2, 3, 4].map((at) => ({ at, value: 60 + 0.5 * at }));
  expect(slope(line)).toBeCloseTo(0.5, 10);
  const noisy = line.map(({ at, value }, index) => ({ at, value: value + (index % 2 === 0 ? 0.1 : -0.1) }));
  expect(slope(noisy)).toBeCloseTo(0.5, 1);
});
