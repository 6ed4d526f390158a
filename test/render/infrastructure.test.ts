import { describe, expect, test } from 'vitest';
import { exampleIntent, ids } from './example-intent.ts';
import { computeAll } from './topology-stage.ts';

const plain = exampleIntent();

const computed = computeAll({
  plain: {},
  'everything chosen': {
    intent: {
      network: { ...plain.network, nodeCidr: '192.168.24.0/24', dnsNameservers: ['10.1.1.1', '10.1.1.2'] },
      apiServer: {
        ...plain.apiServer,
        floatingIp: '203.0.113.9',
        loadBalancer: { enabled: true, provider: 'yes', flavor: '1e3', availabilityZone: 'a: b' },
      },
      controlPlane: { ...plain.controlPlane, availabilityZones: ['az1', 'null', '#3', 'az1'] },
    },
  },
  'everything off': {
    intent: {
      network: { ...plain.network, dnsNameservers: [] },
      apiServer: {
        ...plain.apiServer,
        floatingIpEnabled: false,
        loadBalancer: { enabled: false, provider: null, flavor: null, availabilityZone: null },
      },
    },
  },
  'an existing network': { facts: { fixedNetworkId: ids.fixedNetwork } },
  'an existing subnet': { facts: { fixedNetworkId: ids.fixedNetwork, fixedSubnetId: ids.fixedSubnet } },
});

const nodePorts = (protocol: string) =>
  expect.objectContaining({
    protocol,
    direction: 'ingress',
    etherType: 'IPv4',
    portRangeMin: 30000,
    portRangeMax: 32767,
    remoteIPPrefix: '0.0.0.0/0',
  });

describe('the OpenStackCluster', () => {
  test.each<[string, string, unknown]>([
    [
      'plain',
      'identityRef',
      { name: expect.stringMatching(/^kube-.{5}-cloud-config$/), cloudName: 'default', type: 'Secret' },
    ],
    ['plain', 'externalNetwork', { id: ids.externalNetwork }],
    ['plain', 'network', undefined],
    ['plain', 'subnets', undefined],
    ['plain', 'managedSubnets', [{ cidr: '10.0.0.0/24', dnsNameservers: ['8.8.8.8'] }]],
    ['everything chosen', 'managedSubnets', [{ cidr: '192.168.24.0/24', dnsNameservers: ['10.1.1.1', '10.1.1.2'] }]],
    ['everything off', 'managedSubnets', [{ cidr: '10.0.0.0/24' }]],
    ['an existing network', 'network', { id: ids.fixedNetwork }],
    ['an existing network', 'managedSubnets', undefined],
    ['an existing network', 'subnets', undefined],
    ['an existing subnet', 'network', { id: ids.fixedNetwork }],
    ['an existing subnet', 'subnets', [{ id: ids.fixedSubnet }]],
    ['an existing subnet', 'managedSubnets', undefined],
    ['plain', 'disableAPIServerFloatingIP', undefined],
    ['everything off', 'disableAPIServerFloatingIP', true],
    ['plain', 'apiServerFloatingIP', undefined],
    ['everything chosen', 'apiServerFloatingIP', '203.0.113.9'],
    ['plain', 'apiServerLoadBalancer', { enabled: true }],
    ['everything off', 'apiServerLoadBalancer', { enabled: false }],
    [
      'everything chosen',
      'apiServerLoadBalancer',
      { enabled: true, provider: 'yes', flavor: '1e3', availabilityZone: 'a: b' },
    ],
    ['plain', 'controlPlaneAvailabilityZones', undefined],
    ['everything chosen', 'controlPlaneAvailabilityZones', ['az1', 'null', '#3']],
    [
      'plain',
      'managedSecurityGroups',
      { allowAllInClusterTraffic: true, allNodesSecurityGroupRules: [nodePorts('udp'), nodePorts('tcp')] },
    ],
  ])('with %s has this %s: %j', (situation, field, expected) => {
    expect(computed(situation).infrastructure[field]).toEqual(expected);
  });
});
