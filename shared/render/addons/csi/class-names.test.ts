import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isDnsSubdomain } from '../../../magnum/syntax/kubernetes-syntax.ts';
import { classNames } from './class-names.ts';

function namesOf(...types: readonly string[]) {
  return [...classNames('block', types).values()];
}

/** Names that differ by little are what goes wrong; any text may come. */
const type = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'A', 'b', '-', '_', ' ', 'é'), maxLength: 5 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom('__DEFAULT__', 'default', 'Default', ''),
);
const types = fc.uniqueArray(type, { maxLength: 12 });

/** As magnum-cluster-api does it (`utils.convert_to_rfc1123`). */
function originalName(text: string) {
  return `block-${text.replaceAll(/[^A-Za-z0-9]+/g, '-').toLowerCase()}`;
}

describe('the name of a class', () => {
  test.each([
    ['ssd', 'block-ssd'],
    ['SSD fast', 'block-ssd-fast'],
    ['_ssd', 'block--ssd'],
    ['tier.1/ceph', 'block-tier-1-ceph'],
    ['__DEFAULT__', 'block-default'],
    ['a'.repeat(57), `block-${'a'.repeat(57)}`],
  ])('of %j is %s, as in the original driver where that is valid', (text, name) => {
    expect(namesOf(text)).toEqual([name]);
  });

  test.each([
    ['ssd (fast)', /^block-ssd-fast\.[0-9a-f]{8}$/],
    ['-ssd-', /^block-ssd\.[0-9a-f]{8}$/],
    ['高速', /^block\.[0-9a-f]{8}$/],
    ['', /^block\.[0-9a-f]{8}$/],
    ['a'.repeat(58), /^block-a{48}\.[0-9a-f]{8}$/],
    [`${'a'.repeat(47)} ${'a'.repeat(20)}`, /^block-a{47}\.[0-9a-f]{8}$/],
  ])('of %j carries a hash', (text, name) => {
    expect(namesOf(text)).toEqual([expect.stringMatching(name)]);
  });

  test('is for ever the same', () => {
    expect(namesOf('ssd (fast)', 'größe', '日本')).toEqual(['block-ssd-fast.66e7e4ff', 'block-gr-e', 'block.cf2abf0c']);
  });

  test.each([
    [
      ['ssd', 'SSD', 'Ssd'],
      ['block-ssd', /^block-ssd\.\w{8}$/, /^block-ssd\.\w{8}$/],
    ],
    [
      ['SSD fast', 'SSD-fast'],
      ['block-ssd-fast', /^block-ssd-fast\.\w{8}$/],
    ],
    [
      ['__DEFAULT__', 'default'],
      [/^block-default\.\w{8}$/, 'block-default'],
    ],
  ])('of types that are spelled alike %j is kept by one', (texts, names) => {
    const expected = names.map((name) => (typeof name === 'string' ? name : expect.stringMatching(name)));
    expect(namesOf(...texts)).toEqual(expected);
  });
});

describe('whatever the types are', () => {
  test('their names are valid and no two are the same', () => {
    fc.assert(
      fc.property(types, (texts) => {
        const names = namesOf(...texts);
        expect(new Set(names).size).toBe(texts.length);
        for (const name of names) {
          expect(isDnsSubdomain(name), name).toBe(true);
          expect(name.length).toBeLessThanOrEqual(63);
        }
      }),
    );
  });

  test('their order does not matter', () => {
    fc.assert(
      fc.property(types, (texts) => {
        const sorted = classNames('block', texts.toSorted());
        expect(classNames('block', texts.toReversed())).toEqual(sorted);
        expect(classNames('block', texts)).toEqual(sorted);
      }),
    );
  });

  test('one more changes no name but that of a type which it goes before', () => {
    fc.assert(
      fc.property(types, type, (texts, added) => {
        const before = classNames('block', texts);
        const after = classNames('block', [...texts, added]);
        for (const text of texts.filter((one) => before.get(one) !== after.get(one))) {
          expect(after.get(added)).toBe(before.get(text));
          expect(after.get(text)).toMatch(/\.[0-9a-f]{8}$/);
          expect(text).not.toBe(originalName(text).slice('block-'.length));
        }
      }),
    );
  });

  test('the name of the original driver is kept where it is valid and no other type has it', () => {
    fc.assert(
      fc.property(types, (texts) => {
        const names = classNames('block', texts);
        for (const text of texts.filter((one) => one !== '__DEFAULT__')) {
          const name = originalName(text);
          const isAlone = !texts.some((other) => other !== text && namesOf(other).includes(name));
          if (isAlone && /^[a-z0-9-]{1,62}[a-z0-9]$/.test(name)) expect(names.get(text)).toBe(name);
        }
      }),
    );
  });
});
