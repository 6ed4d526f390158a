import { describe, expect, test } from 'vitest';
import { withTag } from './image.ts';
import { imageReference, mirroredName, mirrorRules } from './mirror-rules.ts';

const upstream = { prefix: null, rules: [] };
const mirror = { prefix: 'registry.example.org/k8s', rules: [] };
const digest = `sha256:${'a'.repeat(64)}`;

describe('an image', () => {
  test.each([
    ['of Calico', 'quay.io/calico/node', 'registry.example.org/k8s/calico/node'],
    ['of Cilium', 'quay.io/cilium/cilium', 'registry.example.org/k8s/cilium-cilium'],
    ['of a CSI sidecar', 'registry.k8s.io/sig-storage/csi-attacher', 'registry.example.org/k8s/csi-attacher'],
    [
      'with a name too common',
      'registry.k8s.io/sig-storage/livenessprobe',
      'registry.example.org/k8s/csi-livenessprobe',
    ],
    [
      'of the cloud provider',
      'registry.k8s.io/provider-os/cinder-csi-plugin',
      'registry.example.org/k8s/cinder-csi-plugin',
    ],
    ['of Kubernetes itself', 'registry.k8s.io/pause', 'registry.example.org/k8s/pause'],
    ['that no rule knows', 'ghcr.io/somebody/some/thing', 'registry.example.org/k8s/thing'],
  ])('%s is found in a mirror', (_what, repository, mirrored) => {
    expect(imageReference({ repository, tag: 'v1', digest }, mirror)).toBe(`${mirrored}:v1`);
  });

  test('has its digest where it comes from its own registry, but not with another tag', () => {
    const image = { repository: 'quay.io/cilium/cilium', tag: 'v1.15.3', digest };
    expect(imageReference(image, upstream)).toBe(`quay.io/cilium/cilium:v1.15.3@${digest}`);
    expect(imageReference(withTag(image, 'v1.15.4'), upstream)).toBe('quay.io/cilium/cilium:v1.15.4');
  });

  test("goes by the operator's rules first", () => {
    const read = mirrorRules('quay.io/cilium/*=cilium/*, registry.k8s.io/pause = base/pause');
    const rules = 'value' in read ? read.value : [];
    expect(mirroredName('quay.io/cilium/cilium', rules)).toBe('cilium/cilium');
    expect(mirroredName('registry.k8s.io/pause', rules)).toBe('base/pause');
    expect(mirroredName('registry.k8s.io/coredns', rules)).toBe('coredns');
    expect(mirroredName('ghcr.io/somebody/thing', rules)).toBeNull();
  });
});

test.each([
  'quay.io/cilium/*',
  'a=b=c',
  '*=a',
  'quay.io/x/*=',
  'quay.io/x/*=UPPER',
  'quay.io/*/x=*',
  'quay.io/x/*=a b',
])('what is no rule is named: %s', (text) => {
  expect(mirrorRules(`quay.io/calico/*=*,${text}`)).toEqual({ problem: expect.stringContaining(JSON.stringify(text)) });
});

test('no rules at all are none', () => {
  expect(mirrorRules(' , ')).toEqual({ value: [] });
});
