import { describe, expect, test } from 'vitest';
import {
  exampleFacts,
  exampleIntent,
  exampleNodegroup,
  exampleServerGroups,
  ids,
} from '../../test/render/example-intent.ts';
import type { ApiServerIntent, ClusterIntent } from '../magnum/cluster-intent.ts';
import type { CloudFacts } from './cloud-facts.ts';
import { cluster } from './cluster.ts';
import { features } from './cluster-class/features.ts';
import type { LiveInfrastructure } from './live-infrastructure.ts';

interface Case {
  readonly intent?: Partial<ClusterIntent>;
  readonly facts?: Partial<CloudFacts>;
  readonly live?: LiveInfrastructure;
}

function rendered({ intent = {}, facts = {}, live }: Case = {}) {
  return cluster({
    stackId: 'kube-abcde',
    className: 'magnum-v0.1.0-00000000',
    intent: exampleIntent(intent),
    facts: { ...exampleFacts, ...facts },
    serverGroups: exampleServerGroups,
    annotations: { 'magnum.openstack.org/operation': '{}' },
    live: live ?? null,
  });
}

function variables(situation: Case = {}): Record<string, unknown> {
  return Object.fromEntries(rendered(situation).spec.topology.variables.map(({ name, value }) => [name, value]));
}

const apiServer = (changes: Partial<ApiServerIntent>) => ({ apiServer: { ...exampleIntent().apiServer, ...changes } });
const oidc = {
  issuerUrl: 'https://id.example.com',
  clientId: 'k8s',
  usernameClaim: 'sub',
  usernamePrefix: '-',
  groupsClaim: '',
  groupsPrefix: '',
};

describe('the Cluster', () => {
  test('of the plainest request is reviewed as a whole', async () => {
    const text = `${JSON.stringify(rendered(), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot('./__snapshots__/cluster.json.snap');
  });

  test('is the same every time', () => {
    expect(rendered()).toEqual(rendered());
  });

  test.each([
    ['calico', { kind: 'calico', tag: 'v3.32.1' }, 'calico-v3.32.1'],
    ['a tag that no label may hold', { kind: 'calico', tag: 'v3.32.1+build/7' }, 'calico-v3.32.1_build_7'],
    ['cilium', { kind: 'cilium', tag: 'v1.15.3' }, undefined],
  ] as const)('with %s has the label cni', (_title, cni, label) => {
    expect(rendered({ intent: { cni } }).metadata.labels?.['cni']).toBe(label);
  });

  test('without nodegroups has no workers', () => {
    expect(rendered({ intent: { workers: [] } }).spec.topology).not.toHaveProperty('workers');
  });

  test('keeps the order of nodegroups', () => {
    const workers = ['b', 'a'].map((name) => exampleNodegroup({ name }));
    const names = rendered({ intent: { workers } }).spec.topology.workers?.machineDeployments.map(({ name }) => name);
    expect(names).toEqual(['b', 'a']);
  });
});

describe('the variables of a cluster', () => {
  test.each<[string, Case, unknown]>([
    ['clusterIdentityRefName', {}, 'kube-abcde-cloud-config'],
    ['controlPlaneFlavor', {}, 'm1.medium'],
    ['flavor', {}, 'm1.large'],
    ['flavor', { intent: { workers: [] } }, 'm1.medium'],
    ['sshKeyName', { intent: { keypair: 'my key' } }, 'my key'],
    ['bootVolume', { intent: { bootVolume: { size: 10, type: null } } }, { size: 10, type: '__DEFAULT__' }],
    ['enableEtcdVolume', {}, false],
    ['etcdVolumeType', {}, ''],
    ['etcdVolumeType', { intent: { etcdVolume: { size: 1, type: '1e3' } } }, '1e3'],
    ['controlPlaneAvailabilityZones', {}, ['']],
    ['apiServerSANs', { intent: apiServer({ certSans: ['a.example.com', '10.1.1.1'] }) }, 'a.example.com,10.1.1.1'],
    ['admissionControlList', {}, 'NodeRestriction'],
    ['openidConnect', {}, undefined],
    ['openidConnect', { intent: apiServer({ oidc }) }, oidc],
    ['auditLog', {}, undefined],
    [
      'auditLog',
      { intent: apiServer({ auditLog: { maxAge: '7', maxBackup: '3', maxSize: '50' } }) },
      { enabled: true, maxAge: '7', maxBackup: '3', maxSize: '50' },
    ],
    ['apiServerLoadBalancer', {}, { enabled: true }],
    [
      'apiServerLoadBalancer',
      {
        intent: apiServer({
          loadBalancer: { enabled: true, provider: 'ovn', flavor: null, availabilityZone: 'az1' },
        }),
      },
      { enabled: true, provider: 'ovn', availabilityZone: 'az1' },
    ],
    ['disableAPIServerFloatingIPManaged', {}, false],
    ['disableAPIServerFloatingIPManaged', { intent: apiServer({ floatingIpEnabled: false }) }, true],
    ['disableAPIServerFloatingIP', { intent: apiServer({ floatingIpEnabled: false }) }, true],
    ['fixedNetworkId', {}, ''],
    ['fixedNetworkId', { facts: { fixedNetworkId: ids.fixedNetwork } }, ids.fixedNetwork],
    ['systemdProxyConfig', {}, ''],
  ])('say %s for %j', (name, situation, value) => {
    expect(variables(situation)[name]).toEqual(value);
  });

  test('are all defined by the class, and leave out only what has a default', () => {
    const defined = features.flatMap((feature) => feature.variables);
    const given = Object.keys(variables());
    expect(given.filter((name) => !defined.some((variable) => variable.name === name))).toEqual([]);
    const left = defined.filter(({ name }) => !given.includes(name));
    expect(left.map(({ name, required }) => ({ name, required }))).toEqual(
      ['auditLog', 'openidConnect', 'nodeLabels', 'nodeTaints'].map((name) => ({ name, required: false })),
    );
  });

  test.each(features.flatMap((feature) => feature.variables))('give $name a value of its type', ({ name, schema }) => {
    const value = variables({ intent: apiServer({ oidc }) })[name];
    if (value === undefined) return;
    const { type } = schema.openAPIV3Schema;
    expect(Array.isArray(value) ? 'array' : typeof value).toBe(type === 'integer' ? 'number' : type);
  });
});

describe('the variables of a cluster that lives', () => {
  const live: LiveInfrastructure = {
    apiServerLoadBalancer: { enabled: true, provider: 'amphora' },
    disableAPIServerFloatingIP: false,
    externalNetwork: { id: 'live-external' },
    managedSubnets: [{ cidr: '192.168.24.0/24', dnsNameservers: ['1.1.1.1'] }],
  };
  const asked = apiServer({
    floatingIpEnabled: false,
    floatingIp: '203.0.113.9',
    loadBalancer: { enabled: false, provider: 'ovn', flavor: 'big', availabilityZone: null },
  });

  test('repeat what CAPO would not let change, present or absent', () => {
    expect(variables({ intent: asked, facts: { fixedNetworkId: ids.fixedNetwork }, live })).toMatchObject({
      apiServerLoadBalancer: { enabled: true, provider: 'amphora' },
      apiServerFloatingIP: '',
      disableAPIServerFloatingIP: false,
      disableAPIServerFloatingIPManaged: true,
      externalNetworkId: 'live-external',
      fixedNetworkId: '',
      fixedSubnetId: '',
      nodeCidr: '192.168.24.0/24',
      dnsNameservers: ['1.1.1.1'],
    });
  });

  test('do not write a floating IP switch that was never written', () => {
    const { disableAPIServerFloatingIP: _, ...without } = live;
    expect(variables({ intent: asked, live: without })).toMatchObject({ disableAPIServerFloatingIPManaged: false });
  });

  test('do not write a load balancer that was never written', () => {
    const { apiServerLoadBalancer: _, ...without } = live;
    expect(variables({ intent: asked, live: without })).toMatchObject({ apiServerLoadBalancerManaged: false });
  });

  test('keep an existing network with its subnet', () => {
    const { managedSubnets: _, ...others } = live;
    const existing = { ...others, network: { id: 'live-network' }, subnets: [{ id: 'live-subnet' }] };
    expect(variables({ live: existing })).toMatchObject({
      fixedNetworkId: 'live-network',
      fixedSubnetId: 'live-subnet',
    });
  });

  test('ask for what is wanted where nothing lives yet', () => {
    expect(variables({ intent: asked })).toMatchObject({
      apiServerLoadBalancer: { enabled: false, provider: 'ovn', flavor: 'big' },
      apiServerLoadBalancerManaged: true,
      externalNetworkId: ids.externalNetwork,
      nodeCidr: '10.0.0.0/24',
    });
  });
});
