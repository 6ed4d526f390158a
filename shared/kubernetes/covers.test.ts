import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { covers } from './covers.ts';

const json = fc.jsonValue({ maxDepth: 3 });
const record = fc.dictionary(
  fc.string().filter((key) => key !== '__proto__'),
  json,
);

describe('a live object', () => {
  test.each([
    ['a default of the API server', { a: 1, added: {} }, { a: 1 }],
    ['a container that an admission webhook adds', { c: [{ name: 'x' }, { name: 'y', z: 1 }] }, { c: [{ name: 'y' }] }],
    ['the order of keys', { a: 1, b: 2 }, { b: 2, a: 1 }],
  ])('covers a rendered one in spite of %s', (_what, live, wanted) => {
    expect(covers(live, wanted)).toBe(true);
  });

  test.each<[string, unknown, unknown]>([
    ['another value', { a: { b: 0 } }, { a: { b: 1 } }],
    ['a value of another type', { a: '1' }, { a: 1 }],
    ['a missing field', {}, { a: { b: 1 } }],
    ['a field that only every object inherits', {}, { constructor: Object }],
    ['null', { a: null }, { a: {} }],
    ['one more argument', { args: ['-a', '-b'] }, { args: ['-a'] }],
    ['arguments in another order', { args: ['-b', '-a'] }, { args: ['-a', '-b'] }],
    ['a missing item', { c: [{ name: 'x' }] }, { c: [{ name: 'y' }] }],
    ['an object in place of a list', { c: {} }, { c: [] }],
    ['a list in place of an object', [], {}],
  ])('does not cover it with %s', (_what, live, wanted) => {
    expect(covers(live, wanted)).toBe(false);
  });

  test('covers itself, also with fields that somebody added', () => {
    fc.assert(
      fc.property(record, json, (object, added) => {
        expect(covers(structuredClone(object), object)).toBe(true);
        expect(covers({ ...object, [`${Object.keys(object).join()}+`]: added }, object)).toBe(true);
      }),
    );
  });
});
