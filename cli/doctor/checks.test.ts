import { expect, test } from 'vitest';
import { checkIds } from './check-ids.ts';
import { checks } from './checks.ts';
import { chosenChecks } from './run-checks.ts';

test('every check has its place in the order, after those that it needs', () => {
  expect(checks.map(({ id }) => id)).toEqual(checkIds);
  for (const [index, { needs = [] }] of checks.entries()) {
    for (const id of needs) expect(checkIds.indexOf(id)).toBeLessThan(index);
  }
});

test('a chosen check brings along what it needs, and what that needs', () => {
  const ids = chosenChecks(checks, ['cluster-topology', 'clocks']).map(({ id }) => id);
  expect(ids).toEqual(['api-versions', 'namespace', 'webhooks', 'cluster-topology', 'clocks']);
});

test.each(checks)('what $id says of itself is whole sentences', ({ description, remedy }) => {
  for (const text of [description, remedy]) expect(text).toMatch(/^[A-Z].*\.$|^[A-Z].*(?:describe|get) [a-z,]+$/);
});
