import type { V1ConfigMap } from '@kubernetes/client-node';
import { describe, expect, test } from 'vitest';
import { find } from '../testing/manifests.ts';
import { configFacts } from './testing/config-facts.ts';
import { lines, renderedCilium, type Situation, tags } from './testing/rendered-cilium.ts';

function config(tag: string, situation: Situation = {}): Record<string, string> {
  return find<V1ConfigMap>(renderedCilium(tag, situation), 'ConfigMap', 'cilium-config').data ?? {};
}

describe.each(lines)('cilium-config of %s', (line) => {
  test('has the keys and values of the chart', () => {
    expect(config(tags[line])).toEqual(configFacts(line));
  });

  test('is the same with and without the user interface', () => {
    expect(config(tags[line], { hubbleUi: false })).toEqual(config(tags[line]));
  });

  test('gives the nodes /24 networks of the pool', () => {
    expect(config(tags[line], { podCidr: '172.20.0.0/14' })).toMatchObject({
      'enable-ipv4': 'true',
      'enable-ipv6': 'false',
      'cluster-pool-ipv4-cidr': '172.20.0.0/14',
      'cluster-pool-ipv4-mask-size': '24',
    });
  });

  test('turns to IPv6 alone where the pods’ network is one', () => {
    const { 'cluster-pool-ipv4-cidr': _cidr, 'cluster-pool-ipv4-mask-size': _size, ...common } = configFacts(line);
    expect(config(tags[line], { podCidr: 'fd00:100::/56' })).toEqual({
      ...common,
      'enable-ipv4': 'false',
      'enable-ipv6': 'true',
      'cluster-pool-ipv6-cidr': 'fd00:100::/56',
      'cluster-pool-ipv6-mask-size': '120',
      'operator-api-serve-addr': '[::1]:9234',
      ...(line === 'v1.20' ? { 'hubble-prefer-ipv6': 'true' } : {}),
    });
  });
});

test('kube-proxy keeps its work in all lines, and the lines that ask keep session affinity', () => {
  for (const line of lines) {
    expect(config(tags[line])).toMatchObject({
      'kube-proxy-replacement': 'false',
      'k8s-service-proxy-name': 'cilium',
      'cni-chaining-mode': 'portmap',
    });
  }
  expect(config('v1.15.3')).toHaveProperty('enable-session-affinity', 'true');
});
