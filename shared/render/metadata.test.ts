import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { labelValue } from './metadata.ts';

describe('a label value', () => {
  test.each([
    ['calico-v3.32.1', 'calico-v3.32.1'],
    ['calico-v3.32.1+own build', 'calico-v3.32.1_own_build'],
    ['calico-ü', 'calico'],
    ['', ''],
  ])('of %j is %j', (text, value) => {
    expect(labelValue(text)).toBe(value);
  });

  test('is valid whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(labelValue(text)).toMatch(/^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/);
        expect(labelValue(text).length).toBeLessThanOrEqual(63);
      }),
    );
  });
});
