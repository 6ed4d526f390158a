import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kubernetesMinor, kubernetesVersion } from './kubernetes-version.ts';

test.each([
  ['v1.33.4', 'v1.33.4'],
  ['1.33.4', 'v1.33.4'],
  ['v1.35.0-rc.1', 'v1.35.0-rc.1'],
  ['v1.33.4+vendor.1', 'v1.33.4+vendor.1'],
])('%s is Kubernetes %s', (text, value) => {
  expect(kubernetesVersion(text)).toEqual({ value });
});

test.each([
  '',
  'v',
  'latest',
  'v1',
  'v1.33',
  'v1.33.4.5',
  'v01.33.4',
  'v1.033.4',
  'v2.0.0',
  'V1.33.4',
  'v1.33.4-',
  'v1.33.4 -x',
  'v1.21.0',
  '1.99999.0',
])('%j is refused', (text) => {
  expect(kubernetesVersion(text)).toHaveProperty('problem');
});

test('an accepted version is accepted again as it came out', () =>
  fc.assert(
    fc.property(fc.integer({ min: 22, max: 999 }), fc.nat(999), (minor, patch) => {
      const version = `v1.${minor}.${patch}`;
      expect(kubernetesVersion(`1.${minor}.${patch}`)).toEqual({ value: version });
      expect(kubernetesVersion(version)).toEqual({ value: version });
      expect(kubernetesMinor(version)).toBe(minor);
    }),
  ));

test('what is no version has no minor', () => {
  expect(kubernetesMinor('')).toBe(0);
});
