import { expect, test } from 'vitest';
import { isDnsLabel, isDnsSubdomain, isKubeletLabel, isLabelValue, isQualifiedName } from './kubernetes-syntax.ts';

test.each([
  ['a', true],
  ['default-worker', true],
  ['0-0', true],
  ['a'.repeat(63), true],
  ['a'.repeat(64), false],
  ['', false],
  ['-a', false],
  ['a-', false],
  ['a_b', false],
  ['aBc', false],
  ['a.b', false],
  ['ä', false],
  ['a\n', false],
])('%j is an RFC 1123 label: %s', (text, expected) => {
  expect(isDnsLabel(text)).toBe(expected);
});

test.each([
  ['cluster.local', true],
  [Array(64).fill('abc').join('.').slice(0, 253), true],
  ['a.'.repeat(127), false],
  ['.a', false],
  ['a..b', false],
])('%j is an RFC 1123 subdomain: %s', (text, expected) => {
  expect(isDnsSubdomain(text)).toBe(expected);
});

test.each([
  ['', true],
  ['A_b.c-1', true],
  ['a b', false],
  ['-a', false],
  ['a'.repeat(64), false],
])('%j is a value of a label: %s', (text, expected) => {
  expect(isLabelValue(text)).toBe(expected);
});

test.each([
  ['gpu', true],
  ['example.org/gpu', true],
  ['/gpu', false],
  ['example.org/', false],
  ['a/b/c', false],
  ['Example.org/gpu', false],
])('%j is a key of a label: %s', (text, expected) => {
  expect(isQualifiedName(text)).toBe(expected);
});

test.each([
  ['gpu', true],
  ['example.org/gpu', true],
  ['notkubernetes.io/x', true],
  ['node.cluster.x-k8s.io/x', true],
  ['kubernetes.io/os', true],
  ['topology.kubernetes.io/zone', true],
  ['node.kubernetes.io/pool', true],
  ['x.kubelet.kubernetes.io/pool', true],
  ['kubernetes.io/pool', false],
  ['node-role.kubernetes.io/gpu', false],
  ['node-restriction.kubernetes.io/x', false],
  ['k8s.io/x', false],
  ['sub.k8s.io/x', false],
])('the kubelet may set %s itself: %s', (key, expected) => {
  expect(isKubeletLabel(key)).toBe(expected);
});
