import { expect, test } from 'vitest';
import { growthMeasurements } from './growth-measurements.ts';
import { isWithinBudget } from './measurement.ts';

const quadratic = [1, 10, 100].flatMap((count) =>
  [0.9, 1, 1.1].map((noise) => ({ count, duration: count ** 2 * noise, calls: 4 })),
);

test('each number has the median of its samples, and the last step its power with a budget', () => {
  const measured = growthMeasurements({ what: 'create', of: 'nodegroups', samples: quadratic });
  expect(measured.map(({ what, value }) => [what, Number(value.toFixed(3))])).toEqual([
    ['create, 1 nodegroups', 1],
    ['create, 10 nodegroups', 100],
    ['create, 100 nodegroups', 10_000],
    ['create, power of growth from 10 to 100 nodegroups', 2],
    ['Kubernetes calls of create, 1 nodegroups', 4],
    ['Kubernetes calls of create, 10 nodegroups', 4],
    ['Kubernetes calls of create, 100 nodegroups', 4],
    ['Kubernetes calls of create, power of growth from 10 to 100 nodegroups', 0],
  ]);
  expect(measured.filter((one) => !isWithinBudget(one)).map(({ what }) => what)).toEqual([
    'create, power of growth from 10 to 100 nodegroups',
  ]);
});

test('what makes no calls has no rows for them', () => {
  const samples = quadratic.map(({ count, duration }) => ({ count, duration }));
  const measured = growthMeasurements({ what: 'render', of: 'nodegroups', samples });
  expect(measured.filter(({ what }) => what.includes('calls'))).toEqual([]);
});
