import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { calicoDefinitions } from '../../shared/render/addons/calico/definitions/calico-definitions.ts';
import { connectApi, type KubernetesApi } from '../env/kubernetes-api.ts';
import { customResourceDefinition } from '../env/manifests.ts';
import { waitFor } from '../env/wait-for.ts';

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const strictly = 'fieldValidation=Strict';

const older = calicoDefinitions('v3.31').map((each) => customResourceDefinition.parse(each));
const newer = calicoDefinitions('v3.32').map((each) => customResourceDefinition.parse(each));
const newerNames = newer.map(({ metadata }) => metadata.name);
/** Those of the newer line, and what only the older one has. */
const installed = [...newer, ...older.filter(({ metadata }) => !newerNames.includes(metadata.name))];

let api: KubernetesApi;
beforeAll(async () => {
  api = connectApi({ server: inject('server'), caCertificate: inject('caCertificate'), token: inject('adminToken') });
  await Promise.all(installed.map((definition) => api.call('POST', `${path}?${strictly}`, definition)));
  const serves = (definition: (typeof installed)[number]) => () => api.call('GET', pathOf(definition.spec.names.kind));
  await Promise.all(installed.map((each) => waitFor(serves(each), { what: `${each.metadata.name} to be served` })));
});
afterAll(async () => {
  await Promise.all(installed.map(({ metadata }) => api.call('DELETE', `${path}/${metadata.name}`)));
  api.close();
});

function pathOf(kind: string): string {
  const { group, names, versions, scope } = definitionOf(kind).spec;
  const root = `/apis/${group}/${versions[0]?.name}`;
  return scope === 'Namespaced' ? `${root}/namespaces/default/${names.plural}` : `${root}/${names.plural}`;
}

function definitionOf(kind: string) {
  const definition = installed.find(({ spec }) => spec.names.kind === kind);
  if (definition === undefined) throw new Error(`There is no definition of ${kind}.`);
  return definition;
}

interface Content {
  readonly name?: string;
  readonly spec: Readonly<Record<string, unknown>>;
}

/** @param options `dryRun=All` stores nothing */
function create(kind: string, { name = 'example', spec }: Content, options = 'dryRun=All'): Promise<unknown> {
  const { group, versions } = definitionOf(kind).spec;
  const object = { apiVersion: `${group}/${versions[0]?.name}`, kind, metadata: { name }, spec };
  return api.call('POST', `${pathOf(kind)}?${strictly}&${options}`, object);
}

test.each(older.map((definition) => [definition.metadata.name, definition] as const))(
  'the older line may be replaced by the newer one, and the other way round: %s',
  async (name, definition) => {
    await expect(api.call('PATCH', `${path}/${name}?dryRun=All&${strictly}`, definition)).resolves.toBeDefined();
  },
);

test('a schema with a rule about a field that it does not name is refused, so that installing can fail', async () => {
  const definition = structuredClone(definitionOf('IPPool'));
  const text = JSON.stringify(definition).replaceAll('ippool', 'oddpool').replaceAll('IPPool', 'OddPool');
  const odd = JSON.parse(text.replaceAll('self.ipipMode', 'self.mode'));
  await expect(api.call('POST', `${path}?dryRun=All`, odd)).rejects.toThrow('undefined field');
});

const rule = { action: 'Allow', protocol: 'TCP', destination: { ports: [80, 'http', '6000:6010'] } };
const pool = { cidr: '10.100.0.0/16', ipipMode: 'Always', vxlanMode: 'Never', natOutgoing: true, blockSize: 26 };

describe('what is left out has its default:', () => {
  test.each<[kind: string, spec: Content['spec'], stored: object]>([
    ['BGPConfiguration', {}, { logSeverityScreen: 'Info', serviceLoadBalancerAggregation: 'Enabled' }],
    ['BGPPeer', { password: { secretKeyRef: { key: 'x' } } }, { password: { secretKeyRef: { key: 'x', name: '' } } }],
    ['FelixConfiguration', { logSeverityScreen: 'Info' }, { nftablesMode: 'Auto' }],
    ['GlobalNetworkPolicy', { ingress: [rule] }, { tier: 'default', ingress: [rule] }],
    ['IPAMBlock', { allocations: [null, 0], cidr: 'x' }, { sequenceNumber: 0, allocations: [null, 0] }],
    ['IPPool', pool, { ...pool, assignmentMode: 'Automatic' }],
    [
      'KubeControllersConfiguration',
      { controllers: { loadBalancer: {}, policyMigration: {}, node: { hostEndpoint: { autoCreate: 'Disabled' } } } },
      {
        healthChecks: 'Enabled',
        controllers: {
          loadBalancer: { assignIPs: 'AllServices' },
          policyMigration: { enabled: 'Enabled' },
          node: { hostEndpoint: { autoCreate: 'Disabled' } },
        },
      },
    ],
    ['NetworkPolicy', {}, { tier: 'default' }],
    ['StagedGlobalNetworkPolicy', {}, { tier: 'default', stagedAction: 'Set' }],
    ['StagedKubernetesNetworkPolicy', {}, { stagedAction: 'Set' }],
    ['StagedNetworkPolicy', {}, { tier: 'default', stagedAction: 'Set' }],
    ['Tier', { order: 100 }, { defaultAction: 'Deny', order: 100 }],
    [
      'AdminNetworkPolicy',
      { ingress: [{ ports: [{ portNumber: { port: 1 } }] }] },
      { ingress: [{ ports: [{ portNumber: { port: 1, protocol: 'TCP' } }] }] },
    ],
  ])('%s', async (kind, spec, stored) => {
    expect(await create(kind, { spec })).toMatchObject({ spec: stored });
  });
});

const http = { methods: ['GET'] };
const mesh = (spec: object) => ({ nodeToNodeMeshEnabled: false, ...spec });
const filter = (spec: object) => ({ importV4: [{ action: 'Accept', ...spec }] });
const egress = (spec: object) => ({ egress: [{ action: 'Allow', ...spec }] });
const loadBalancerPool = { cidr: '10.9.0.0/24', allowedUses: ['LoadBalancer'] };
const range = (start: number, end: number) => ({
  egress: [{ protocols: [{ udp: { destinationPort: { range: { start, end } } } }] }],
});
const peers = (...networks: readonly string[]) => ({ egress: [{ to: [{ networks }] }] });

describe('an object that breaks a rule is refused, and taken without the fault:', () => {
  test.each<[kind: string, fault: Content['spec'], message: string, without: Content['spec']]>([
    ['BGPConfiguration', mesh({ nodeMeshMaxRestartTime: '1m' }), 'nodeMeshMaxRestartTime has', mesh({})],
    ['BGPConfiguration', mesh({ nodeMeshPassword: {} }), 'nodeMeshPassword has', { nodeMeshPassword: {} }],
    ['BGPFilter', filter({ cidr: '10.0.0.0/8' }), 'go together', filter({ cidr: '10.0.0.0/8', matchOperator: 'In' })],
    ['BGPFilter', filter({ prefixLength: {} }), 'needs a cidr', filter({})],
    [
      'BGPFilter',
      filter({ action: 'Reject', operations: [{}] }),
      'need the action Accept',
      filter({ operations: [{}] }),
    ],
    ['BGPPeer', { node: 'a', nodeSelector: 'all()' }, 'node and nodeSelector', { node: 'a', nodeSelector: '' }],
    ['BGPPeer', { peerIP: '10.0.0.1', peerSelector: 'all()' }, 'peerIP and peerSelector', { peerIP: '10.0.0.1' }],
    ['BGPPeer', { peerSelector: 'all()', asNumber: 1 }, 'peerSelector and asNumber', { peerSelector: 'all()' }],
    [
      'BGPPeer',
      { localWorkloadSelector: 'all()' },
      'needs an asNumber',
      { localWorkloadSelector: 'all()', asNumber: 64512 },
    ],
    [
      'FelixConfiguration',
      { routeTableRange: { min: 1, max: 9 }, routeTableRanges: [] },
      'routeTableRange and routeTableRanges',
      { routeTableRange: { min: 1, max: 9 } },
    ],
    ['GlobalNetworkPolicy', { preDNAT: true }, 'need applyOnForward', { preDNAT: true, applyOnForward: true }],
    [
      'GlobalNetworkPolicy',
      { preDNAT: true, doNotTrack: true, applyOnForward: true },
      'preDNAT and doNotTrack exclude',
      { preDNAT: false, doNotTrack: true, applyOnForward: true },
    ],
    [
      'GlobalNetworkPolicy',
      { preDNAT: true, applyOnForward: true, ...egress({}) },
      'no egress',
      { preDNAT: true, applyOnForward: true, egress: [] },
    ],
    [
      'StagedGlobalNetworkPolicy',
      { preDNAT: true, applyOnForward: true, types: ['Egress'] },
      'no type Egress',
      { preDNAT: true, applyOnForward: true, types: ['Ingress'] },
    ],
    ['NetworkPolicy', egress({ http, protocol: 'UDP' }), 'protocol TCP or none', egress({ http, protocol: 6 })],
    ['NetworkPolicy', egress({ http, action: 'Deny' }), 'action Allow', egress({ http })],
    [
      'StagedNetworkPolicy',
      egress({ destination: { services: {}, ports: [80] } }),
      'their own ports',
      egress({ destination: { services: {}, ports: [] } }),
    ],
    ['NetworkPolicy', egress({ notICMP: { code: 1 } }), 'needs a type', egress({ notICMP: { code: 1, type: 3 } })],
    ['HostEndpoint', { node: 'a' }, 'interfaceName or expectedIPs', { node: 'a', expectedIPs: ['10.0.0.1'] }],
    ['HostEndpoint', { interfaceName: '*' }, 'needs a node', { interfaceName: '*', node: 'a' }],
    ['IPPool', { ...pool, vxlanMode: 'Always' }, 'ipipMode and vxlanMode', pool],
    ['IPPool', { ...loadBalancerPool, ipipMode: 'Always' }, 'neither IPIP nor VXLAN', loadBalancerPool],
    ['IPPool', { ...pool, allowedUses: ['LoadBalancer', 'Tunnel'] }, 'no other use', { ...pool, allowedUses: [] }],
    ['IPPool', { ...pool, cidr: 'fd00::/64' }, 'IPv4 only', { cidr: 'fd00::/64', ipipMode: 'Never' }],
    ['ClusterNetworkPolicy', range(9, 9), 'less than end', range(9, 10)],
    ['ClusterNetworkPolicy', peers('10.0.0.0'), 'networks[0]', peers('10.0.0.0/8', 'fd00::/8')],
    ['AdminNetworkPolicy', peers('ten'), 'IPv4 nor an IPv6', peers('10.0.0.0/8', 'fd00::/8')],
    [
      'AdminNetworkPolicy',
      { egress: [{ to: [{ nodes: {} }], ports: [{ namedPort: 'http' }] }] },
      'no named ports',
      { egress: [{ to: [{ nodes: {} }], ports: [{ portNumber: { port: 80 } }] }] },
    ],
  ])('%s %j', async (kind, fault, message, without) => {
    await expect(create(kind, { spec: fault })).rejects.toThrow(message);
    await expect(create(kind, { spec: without })).resolves.toBeDefined();
  });

  test.each<[kind: string, content: Content, message: string, otherName: string]>([
    ['Tier', { name: 'default', spec: { defaultAction: 'Pass' } }, 'tier default is Deny', 'another'],
    ['Tier', { name: 'kube-admin', spec: {} }, 'tier kube-admin is Pass', 'default'],
    ['FelixConfiguration', { name: 'node.a', spec: { nodeSelector: 'all()' } }, 'no use', 'another'],
    ['BaselineAdminNetworkPolicy', { spec: {} }, 'named default', 'default'],
  ])('%s by its name: %j', async (kind, content, message, otherName) => {
    await expect(create(kind, content)).rejects.toThrow(message);
    await expect(create(kind, { ...content, name: otherName })).resolves.toBeDefined();
  });

  test.each([
    ['cidr', '10.0.0.0/8'],
    ['blockSize', 25],
  ])('an IPPool whose %s changes', async (field, value) => {
    const name = `pool-${field.toLowerCase()}`;
    await create('IPPool', { name, spec: pool }, '');
    const change = (spec: object) => api.call('PATCH', `${pathOf('IPPool')}/${name}?${strictly}`, { spec });
    await expect(change({ [field]: value })).rejects.toThrow('never changes');
    await expect(change({ disabled: true })).resolves.toMatchObject({ spec: { ...pool, disabled: true } });
  });
});
