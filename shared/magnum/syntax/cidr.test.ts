import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cidr, overlap } from './cidr.ts';

const anyPrefix = cidr({ 4: [0, 32], 6: [0, 128] });

test.each(['10.0.0.0/8', '0.0.0.0/0', '10.0.0.5/24', 'fd00::/8', '2001:db8::1/128'])('%s is a CIDR', (text) => {
  expect(anyPrefix(text)).toEqual({ value: text });
});

test.each([
  '',
  '/',
  '10.0.0.0',
  '10.0.0/8',
  '10.0.0.0/33',
  '10.0.0.0/08',
  '10.0.0.0/-1',
  'fd00::/129',
  'fe80::1%eth0/64',
  '010.0.0.0/8',
  '10.0.0.0/8,10.1.0.0/16',
])('%j is no CIDR', (text) => {
  expect(anyPrefix(text)).toHaveProperty('problem');
});

test.each([
  ['10.0.0.0/24', '10.0.0.0/24', true],
  ['10.0.0.0/8', '10.254.0.0/16', true],
  ['10.254.0.0/16', '10.0.0.0/8', true],
  ['10.0.0.77/24', '10.0.0.128/25', true],
  ['10.0.0.0/24', '10.0.1.0/24', false],
  ['fd00::/8', 'fdab::/48', true],
  ['::/0', '10.0.0.0/8', false],
  ['10.0.0.0/8', 'nonsense', false],
])('whether %s and %s overlap: %s', (one, other, expected) => {
  expect(overlap(one, other)).toBe(expected);
});

/** IPv4 address as a number, which says without BlockList where a network begins. */
function network(value: number, prefix: number): readonly [first: number, last: number] {
  const size = 2 ** (32 - prefix);
  const first = Math.floor(value / size) * size;
  return [first, first + size - 1];
}

function written(value: number, prefix: number): string {
  return `${[24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.')}/${prefix}`;
}

test('two networks overlap if and only if their ranges of addresses do', () => {
  const cidrs = fc.tuple(fc.nat(2 ** 31 - 1), fc.integer({ min: 0, max: 32 }));
  return fc.assert(
    fc.property(cidrs, cidrs, ([one, onePrefix], [other, otherPrefix]) => {
      const [first, last] = network(one, onePrefix);
      const [otherFirst, otherLast] = network(other, otherPrefix);
      expect(overlap(written(one, onePrefix), written(other, otherPrefix))).toBe(
        first <= otherLast && otherFirst <= last,
      );
    }),
  );
});
