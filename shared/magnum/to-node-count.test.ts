import { describe, expect, test } from 'vitest';
import { FaultList } from './reading/fault-list.ts';
import { nodegroupSnapshot } from './snapshot.ts';
import { toNodeCount } from './to-node-count.ts';

/** The number, or all that is said against it. */
function read(nodeCount: unknown, row: object = {}): number | string {
  const faults = new FaultList();
  const count = toNodeCount({ nodegroup: nodegroupSnapshot.parse({ name: 'gpu', ...row }), nodeCount, faults });
  const outcome = faults.outcome(count);
  return 'faults' in outcome ? outcome.faults.map(({ message }) => message).join(' ') : outcome.intent;
}

const master = { name: 'default-master', role: 'master' };

describe('the number of nodes of a resize', () => {
  test.each([
    ['is taken', 3, {}, 3],
    ['may be none', 0, { min_node_count: 1 }, 0],
    ['has no maximum where that is 0 or empty', 900, { max_node_count: 0, min_node_count: null }, 900],
    ['may be the maximum', 6, { max_node_count: 6 }, 6],
    ['comes from the request, not from the row', 2, { node_count: 'many' }, 2],
    ['is odd for masters', 5, master, 5],
    ['does not depend on labels', 3, { labels: 'none', node_labels: 1, flavor_id: {} }, 3],
  ])('%s', (_title, count, row, expected) => {
    expect(read(count, row)).toBe(expected);
  });

  test.each([
    ['above the maximum', 7, { max_node_count: 6 }, '7 is above max_node_count, 6.'],
    ['below the minimum', 1, { min_node_count: 2 }, '1 is below min_node_count, 2.'],
    ['even for masters', 2, master, '"2" is not an odd number of masters.'],
    ['none for masters', 0, master, '"0" is not an odd number of masters.'],
    ['more than an int32', 2 ** 31, {}, 'is above 2147483647.'],
    ['beyond exact numbers', 1e21, {}, 'is not a whole number.'],
    ['held against a limit that is no number', 3, { max_node_count: [] }, 'max_node_count'],
  ])('is refused when it is %s', (_title, count, row, words) => {
    expect(read(count, row)).toMatch(/^Field /);
    expect(read(count, row)).toContain(words);
  });
});
