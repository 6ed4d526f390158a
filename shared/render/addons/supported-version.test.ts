import { expect, test } from 'vitest';
import { autoscalerRelease } from './cluster-autoscaler/release.ts';
import { supportedMinors, supportOf } from './supported-version.ts';

test.each([
  ['v1.22.0', 'older'],
  ['v1.29.15', 'older'],
  ['v1.30.0', 'supported'],
  ['v1.36.2+vendor.1', 'supported'],
  ['v1.37.0', 'newer'],
  ['v1.100.0', 'newer'],
])('%s is %s', (version, support) => {
  expect(supportOf(version)).toBe(support);
});

test('the autoscaler has a release for each supported minor', () => {
  for (let minor = supportedMinors.oldest; minor <= supportedMinors.newest; minor += 1) {
    expect(autoscalerRelease(`v1.${minor}.0`)?.readsV1beta2).toBe(true);
  }
});
