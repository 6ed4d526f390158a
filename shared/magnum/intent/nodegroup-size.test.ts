import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NodegroupIntent } from '../cluster-intent.ts';
import type { Outcome } from '../reading/fault-list.ts';
import { sampleNodegroup, sampleSnapshot } from '../sample-snapshots.ts';
import { toNodegroupIntent } from '../to-nodegroup-intent.ts';

const hint = 'Set min_node_count and max_node_count of the nodegroup; without a maximum it is the minimum + 1.';

interface Numbers {
  readonly count: unknown;
  readonly min?: unknown;
  readonly max?: unknown;
  readonly isDefault?: boolean;
  readonly labels?: Readonly<Record<string, string>>;
  readonly clusterLabels?: Readonly<Record<string, string>>;
}

function size({ count, min = 1, max = null, isDefault = false, labels = {}, clusterLabels = {} }: Numbers) {
  const nodegroup = sampleNodegroup({
    name: 'a',
    is_default: isDefault,
    node_count: count,
    min_node_count: min,
    max_node_count: max,
    labels,
  });
  return toNodegroupIntent(sampleSnapshot({ labels: clusterLabels }), nodegroup);
}

function faults(outcome: Outcome<NodegroupIntent>) {
  return 'faults' in outcome ? outcome.faults.map(({ field, message }) => ({ field, message })) : [];
}

test.each([
  [{ count: 2 }, { kind: 'fixed', replicas: 2 }],
  [{ count: '2' }, { kind: 'fixed', replicas: 2 }],
  // Magnum writes a minimum of 1 that nobody asked for.
  [
    { count: 0, min: 1 },
    { kind: 'fixed', replicas: 0 },
  ],
  [
    { count: 3, min: 3, max: 3 },
    { kind: 'fixed', replicas: 3 },
  ],
  [
    { count: 9, max: 0 },
    { kind: 'fixed', replicas: 9 },
  ],
])('without autoscaling %j is %j', (numbers, expected) => {
  expect(size(numbers)).toHaveProperty('intent.size', expected);
});

test.each([
  [{ count: null }, 'Field node_count of nodegroup a is missing.'],
  [{ count: 'many' }, 'Field node_count of nodegroup a: "many" is not a whole number.'],
  [{ count: 5, max: 4 }, 'Field node_count of nodegroup a: 5 is above max_node_count, 4.'],
  [{ count: 1, min: 2 }, 'Field node_count of nodegroup a: 1 is below min_node_count, 2.'],
])('without autoscaling %j is refused', (numbers, message) => {
  expect(faults(size(numbers))).toEqual([{ field: 'nodegroups.a.node_count', message }]);
});

const on = { auto_scaling_enabled: 'true' };

test.each([
  [{ count: 2, max: 4, labels: on }, [1, 4]],
  [{ count: 2, max: 4, clusterLabels: on }, [1, 4]],
  [{ count: 2, clusterLabels: on }, [1, 2]],
  [{ count: 0, min: 0, max: 4, clusterLabels: on }, [0, 4]],
  [{ count: 2, min: null, clusterLabels: on }, [1, 2]],
  [{ count: 2, labels: { max_node_count: '7' }, clusterLabels: on }, [1, 7]],
  [{ count: 3, min: null, max: 4, labels: { min_node_count: '3' }, clusterLabels: on }, [3, 4]],
  // Labels of the cluster mean the default worker nodegroup.
  [{ count: 2, clusterLabels: { ...on, min_node_count: '2', max_node_count: '7' } }, [1, 2]],
  [{ count: 2, isDefault: true, clusterLabels: { ...on, min_node_count: '2', max_node_count: '7' } }, [2, 7]],
  [{ count: 2, isDefault: true, min: 0, clusterLabels: { ...on, min_node_count: '2' } }, [0, 1]],
  [
    { count: 3, isDefault: true, min: 3, max: 5, clusterLabels: { ...on, min_node_count: '2', max_node_count: '7' } },
    [3, 5],
  ],
])('with autoscaling %j is the range %j', (numbers, [minimum, maximum]) => {
  const outcome = size({ ...numbers, count: minimum });
  expect(outcome).toHaveProperty('intent.size', { kind: 'autoscaled', minimum, maximum });
});

test.each([
  [
    { count: 3, min: 3, max: 2, labels: on },
    'nodegroups.a.max_node_count',
    'Field max_node_count of nodegroup a: 2 is below the minimum of 3 nodes.',
  ],
  [
    { count: 3, min: 3, labels: { ...on, max_node_count: '2' } },
    'nodegroups.a.labels.max_node_count',
    'Label max_node_count of nodegroup a: 2 is below the minimum of 3 nodes.',
  ],
  [
    { count: 3, labels: on },
    'nodegroups.a.node_count',
    "Field node_count of nodegroup a: 3 is outside the autoscaler's range from 1 to 2.",
  ],
  [
    { count: 1, min: 2, labels: on },
    'nodegroups.a.node_count',
    "Field node_count of nodegroup a: 1 is outside the autoscaler's range from 2 to 3.",
  ],
])('with autoscaling %j is refused', (numbers, field, message) => {
  expect(size(numbers)).toEqual({ faults: [{ code: expect.any(String), field, message, hint }] });
});

test('an autoscaled range is never empty, and holds the number of nodes', () => {
  const number = fc.option(fc.nat(6));
  return fc.assert(
    fc.property(number, number, number, fc.boolean(), (count, min, max, isDefault) => {
      const outcome = size({ count, min, max, isDefault, labels: on });
      if ('faults' in outcome) return;
      const range = outcome.intent.size;
      if (range.kind !== 'autoscaled') throw new Error('not autoscaled');
      expect(range.minimum).toBeLessThanOrEqual(count ?? 0);
      expect(range.maximum).toBeGreaterThanOrEqual(count ?? 0);
    }),
  );
});
