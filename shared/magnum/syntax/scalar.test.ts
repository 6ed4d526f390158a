import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boolean, count, listOf } from './scalar.ts';
import { anyText } from './text-format.ts';

const trueWords = ['1', 't', 'true', 'on', 'y', 'yes'];
const falseWords = ['0', 'f', 'false', 'off', 'n', 'no'];

/** The same word with any letter in upper case. */
function anyCase(words: readonly string[]) {
  return fc.mixedCase(fc.constantFrom(...words));
}

test('booleans have twelve spellings, in any case', () =>
  fc.assert(
    fc.property(anyCase(trueWords), anyCase(falseWords), (yes, no) => {
      expect(boolean(yes)).toEqual({ value: true });
      expect(boolean(no)).toEqual({ value: false });
    }),
  ));

test('any other text is no boolean', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      fc.pre(![...trueWords, ...falseWords].includes(text.toLowerCase()));
      expect(boolean(text)).toEqual({ problem: 'is neither true nor false' });
    }),
  ));

test('a whole number is read back as it was written', () =>
  fc.assert(
    fc.property(fc.nat(), (number) => {
      expect(count()(String(number))).toEqual({ value: number });
    }),
  ));

test.each(['', '1.0', '+1', '-1', '1e3', '0x10', '1_000', '１', '10GB', '99999999999'])(
  '%j is no whole number',
  (text) => {
    expect(count()(text)).toEqual({ problem: 'is not a whole number' });
  },
);

test('a list has neither blanks nor empty nor repeated items', () => {
  expect(listOf(anyText)(' b ,a,, b,')).toEqual({ value: ['b', 'a'] });
});

test('a list that is joined again is the same list', () =>
  fc.assert(
    fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/)), (items) => {
      expect(listOf(anyText)(items.join(' , '))).toEqual({ value: items });
    }),
  ));
