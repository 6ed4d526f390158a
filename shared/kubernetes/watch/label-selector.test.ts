import { expect, test } from 'vitest';
import { labelQuery } from './label-selector.ts';
import type { LabelSelector } from './watched-resource.ts';

test.each<[LabelSelector | undefined, string | undefined]>([
  [undefined, undefined],
  [{}, undefined],
  [{ matchLabels: { a: '1', b: '2' } }, 'a=1,b=2'],
  [{ matchExpressions: [{ key: 'cluster-uuid', operator: 'Exists' }] }, 'cluster-uuid'],
  [{ matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] }, '!a'],
  [
    {
      matchLabels: { a: '1' },
      matchExpressions: [
        { key: 'b', operator: 'In', values: ['x', 'y'] },
        { key: 'c', operator: 'NotIn', values: ['z'] },
      ],
    },
    'a=1,b in (x,y),c notin (z)',
  ],
])('%j is %j', (selector, query) => {
  expect(labelQuery(selector)).toBe(query);
});
