import { expect, test } from 'vitest';
import { mergePatch } from './merge-patch.ts';

test.each([
  [{ a: 1 }, { a: 1 }, undefined],
  [{ a: 1 }, { a: 2, b: { c: 3 } }, { a: 2, b: { c: 3 } }],
  [{ a: 1, b: 2 }, { b: 2 }, { a: null }],
  [{ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, { a: { c: 3 } }],
  [{ a: { b: 1 } }, { a: { b: undefined } }, { a: { b: null } }],
  [{ a: { b: undefined } }, { a: {} }, undefined],
  [{ list: [1, 2] }, { list: [1] }, { list: [1] }],
  [{ list: [1] }, { list: [] }, { list: [] }],
])('From %j to %j: %j', (before, after, patch) => {
  expect(mergePatch(before, after)).toEqual(patch);
});
