import { expect, test } from 'vitest';
import { autoscalerImage, autoscalerRelease, clusterAutoscalerReleases } from './release.ts';

test.each([
  ['v1.22.17', 'v1.22.3'],
  ['v1.23.0', 'v1.23.1'],
  ['v1.24.1', 'v1.24.3'],
  ['v1.25.3', 'v1.25.3'],
  ['v1.26.0', 'v1.26.8'],
  ['v1.27.0', 'v1.27.8'],
  ['v1.28.0', 'v1.28.7'],
  ['v1.29.0', 'v1.29.5'],
  ['v1.30.0', 'v1.30.7'],
  ['v1.31.0', 'v1.31.5'],
  ['v1.32.0', 'v1.32.7'],
  ['v1.33.4', 'v1.33.5'],
  ['v1.34.10', 'v1.34.4'],
  ['v1.35.0', 'v1.35.1'],
  ['v1.36.0+vendor.1', 'v1.36.0'],
  ['v1.37.2', 'v1.37.0'],
  ['1.40', 'v1.40.0'],
])('Kubernetes %s gets the autoscaler %s', (kubernetesVersion, tag) => {
  expect(autoscalerRelease(kubernetesVersion)?.tag).toBe(tag);
});

test.each(['', 'v1', 'latest', 'v2.0.0', 'v1.x.0', '1.33-alpha', 'v1.99999.0'])('%j is no version', (version) => {
  expect(autoscalerRelease(version)).toBeNull();
});

test.each([
  ['v1.25.3', false, false],
  ['v1.26.0', true, false],
  ['v1.29.9', true, false],
  ['v1.30.0', true, true],
  ['v1.33.4', true, true],
])('that of %s enforces the minimum: %s, reads v1beta2: %s', (version, enforcesMinimum, readsV1beta2) => {
  expect(autoscalerRelease(version)).toMatchObject({ enforcesMinimum, readsV1beta2 });
});

test('the catalogue has every release with the image that is used', () => {
  expect(clusterAutoscalerReleases.map(({ usedFor }) => usedFor)).toContain('Kubernetes 1.34');
  for (const { usedFor, version, images } of clusterAutoscalerReleases) {
    const release = autoscalerRelease(`${usedFor.replace('Kubernetes ', 'v')}.9`);
    expect([version, images]).toEqual([release?.tag, [autoscalerImage({ tag: version })]]);
  }
});
