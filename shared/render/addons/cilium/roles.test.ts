import type { V1ClusterRoleBinding } from '@kubernetes/client-node';
import { describe, expect, test } from 'vitest';
import { find } from '../testing/manifests.ts';
import { type RuleRow, rulesOfRole, ruleTable } from '../testing/rules-of.ts';
import type { CiliumLine } from './releases.ts';
import { lines, renderedCilium, tags } from './testing/rendered-cilium.ts';

// Facts: cilium/charts, cilium-1.15.3.tgz and cilium-1.20.0.tgz, templates/**/{clusterrole,role}.yaml, rule by rule.
// Other than upstream: certgen of v1.15 has a Role in its namespace instead of a ClusterRole, as that of v1.20.

function granted(line: CiliumLine, kind: 'ClusterRole' | 'Role', name: string): readonly string[] {
  return rulesOfRole(renderedCilium(tags[line]), kind, name);
}

const cilium = 'cilium.io';
const definitions = ['apiextensions.k8s.io', 'customresourcedefinitions'] as const;

const agent: readonly RuleRow[] = [
  ['networking.k8s.io', 'networkpolicies', 'get list watch'],
  ['discovery.k8s.io', 'endpointslices', 'get list watch'],
  ['', 'namespaces services pods nodes', 'get list watch'],
  [...definitions, 'list watch get'],
  [cilium, 'ciliumloadbalancerippools ciliumbgpnodeconfigs ciliumbgpadvertisements ciliumbgppeerconfigs', 'list watch'],
  [cilium, 'ciliumclusterwideenvoyconfigs ciliumclusterwidenetworkpolicies ciliumegressgatewaypolicies', 'list watch'],
  [cilium, 'ciliumendpoints ciliumendpointslices ciliumenvoyconfigs ciliumidentities', 'list watch'],
  [cilium, 'ciliumlocalredirectpolicies ciliumnetworkpolicies ciliumnodes ciliumnodeconfigs', 'list watch'],
  [cilium, 'ciliumcidrgroups ciliuml2announcementpolicies ciliumpodippools', 'list watch'],
  [cilium, 'ciliumidentities ciliumendpoints ciliumnodes', 'create'],
  [cilium, 'ciliumidentities', 'update'],
  [cilium, 'ciliumendpoints', 'delete get'],
  [cilium, 'ciliumnodes ciliumnodes/status', 'get update'],
  [cilium, 'ciliumendpoints/status ciliumendpoints ciliuml2announcementpolicies/status', 'patch'],
  [cilium, 'ciliumbgpnodeconfigs/status', 'patch'],
];

const operator: readonly RuleRow[] = [
  ['', 'pods', 'get list watch delete'],
  ['', 'nodes', 'list watch'],
  ['', 'nodes nodes/status', 'patch'],
  ['discovery.k8s.io', 'endpointslices', 'get list watch'],
  ['', 'services/status', 'update patch'],
  ['', 'namespaces services', 'get list watch'],
  [cilium, 'ciliumnetworkpolicies ciliumclusterwidenetworkpolicies', 'create update deletecollection patch'],
  [cilium, 'ciliumnetworkpolicies ciliumclusterwidenetworkpolicies', 'get list watch'],
  [cilium, 'ciliumnetworkpolicies/status ciliumclusterwidenetworkpolicies/status', 'patch update'],
  [cilium, 'ciliumendpoints ciliumidentities', 'delete list watch'],
  [cilium, 'ciliumidentities', 'update'],
  [cilium, 'ciliumnodes', 'create update get list watch delete'],
  [cilium, 'ciliumnodes/status', 'update'],
  [cilium, 'ciliumendpointslices ciliumenvoyconfigs', 'create update get list watch delete patch'],
  [cilium, 'ciliumbgppeerconfigs ciliumbgpadvertisements', 'create update get list watch delete patch'],
  [cilium, 'ciliumbgpnodeconfigs', 'create update get list watch delete patch'],
  [...definitions, 'create get list watch'],
  [cilium, 'ciliumloadbalancerippools ciliumpodippools', 'get list watch'],
  [cilium, 'ciliumbgpclusterconfigs ciliumbgpnodeconfigoverrides', 'get list watch'],
  [cilium, 'ciliumpodippools', 'create'],
  [cilium, 'ciliumloadbalancerippools/status', 'patch'],
  ['coordination.k8s.io', 'leases', 'create get update'],
];

/** Plural names of the definitions that the operator of each line updates. */
const registered = [
  'loadbalancerippools bgpclusterconfigs bgppeerconfigs bgpadvertisements bgpnodeconfigs bgpnodeconfigoverrides',
  'clusterwideenvoyconfigs clusterwidenetworkpolicies egressgatewaypolicies endpoints endpointslices envoyconfigs',
  'identities localredirectpolicies networkpolicies nodes nodeconfigs cidrgroups l2announcementpolicies podippools',
].join(' ');

function definitionNames(plurals: string): string {
  return plurals.replace(/\S+/g, (plural) => `cilium${plural}.cilium.io`);
}

const bgp = 'bgpclusterconfigs bgppeerconfigs bgpadvertisements bgpnodeconfigs bgpnodeconfigoverrides';

const lineRows: Readonly<
  Record<CiliumLine, { readonly agent: readonly RuleRow[]; readonly operator: readonly RuleRow[] }>
> = {
  'v1.15': {
    agent: [
      ['', 'endpoints', 'get list watch'],
      [cilium, 'ciliumbgppeeringpolicies', 'list watch'],
      [cilium, 'ciliumnetworkpolicies/status ciliumclusterwidenetworkpolicies/status', 'patch'],
    ],
    operator: [
      ['', 'endpoints', 'get list watch'],
      [...definitions, 'update', definitionNames(`${registered} bgppeeringpolicies externalworkloads`)],
    ],
  },
  'v1.20': {
    agent: [[cilium, 'ciliumdatapathplugins', 'list watch']],
    operator: [
      ['', 'configmaps', 'patch', 'cilium-config'],
      ['', 'secrets serviceaccounts', 'get list watch'],
      [cilium, 'ciliumbgpclusterconfigs ciliumbgpnodeconfigoverrides ciliumcidrgroups', 'create update delete patch'],
      [cilium, 'ciliumcidrgroups ciliumdatapathplugins', 'get list watch'],
      [cilium, 'ciliumbgpclusterconfigs/status ciliumbgppeerconfigs/status', 'update'],
      [cilium, 'ciliumendpointslices', 'deletecollection'],
      [...definitions, 'update', definitionNames(`${registered} gatewayclassconfigs datapathplugins`)],
      ['apiextensions.k8s.io', 'customresourcedefinitions/status', 'update', definitionNames(bgp)],
    ],
  },
};

describe.each(lines)('the accounts of %s', (line) => {
  test.each(['agent', 'operator'] as const)('may do as %s what upstream lets it do, and no more', (account) => {
    const name = account === 'agent' ? 'cilium' : 'cilium-operator';
    const rows = [...(account === 'agent' ? agent : operator), ...lineRows[line][account]];
    expect(granted(line, 'ClusterRole', name)).toEqual(ruleTable(rows));
  });

  test('read cilium-config in their namespace', () => {
    expect(granted(line, 'Role', 'cilium-config-agent')).toEqual(ruleTable([['', 'configmaps', 'get list watch']]));
  });

  test('get each role by a binding of its name', () => {
    const manifests = renderedCilium(tags[line]);
    const roles = manifests.filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role');
    for (const { kind, metadata } of roles) {
      const binding = find<V1ClusterRoleBinding>(manifests, `${kind}Binding`, metadata.name);
      expect(binding.metadata?.namespace).toBe(metadata.namespace);
      expect(binding.roleRef).toEqual({ apiGroup: 'rbac.authorization.k8s.io', kind, name: metadata.name });
      const account = accounts[metadata.name];
      expect(binding.subjects).toEqual([{ kind: 'ServiceAccount', name: account, namespace: 'kube-system' }]);
      expect(find(manifests, 'ServiceAccount', account ?? '')).toBeDefined();
    }
  });
});

const accounts: Readonly<Record<string, string>> = {
  cilium: 'cilium',
  'cilium-operator': 'cilium-operator',
  'cilium-config-agent': 'cilium',
  'cilium-operator-ztunnel': 'cilium-operator',
  'cilium-tlsinterception-secrets': 'cilium',
  'cilium-operator-tlsinterception-secrets': 'cilium-operator',
  'hubble-generate-certs': 'hubble-generate-certs',
  'hubble-ui': 'hubble-ui',
};

test.each<readonly [CiliumLine, 'ClusterRole' | 'Role', string, readonly RuleRow[]]>([
  [
    'v1.20',
    'Role',
    'cilium-operator-ztunnel',
    [
      ['apps', 'daemonsets', 'create delete get list watch'],
      ['', 'serviceaccounts', 'get list watch'],
    ],
  ],
  ['v1.20', 'Role', 'cilium-tlsinterception-secrets', [['', 'secrets', 'get list watch']]],
  ['v1.20', 'Role', 'cilium-operator-tlsinterception-secrets', [['', 'secrets', 'create delete update patch']]],
  [
    'v1.20',
    'ClusterRole',
    'hubble-ui',
    [
      ['', 'componentstatuses namespaces nodes pods services', 'get list watch'],
      [...definitions, 'get list watch'],
    ],
  ],
  [
    'v1.15',
    'ClusterRole',
    'hubble-ui',
    [
      ['networking.k8s.io', 'networkpolicies', 'get list watch'],
      ['', 'componentstatuses endpoints namespaces nodes pods services', 'get list watch'],
      [...definitions, 'get list watch'],
      [cilium, '*', 'get list watch'],
    ],
  ],
  ['v1.15', 'Role', 'hubble-generate-certs', certgen('')],
  ['v1.20', 'Role', 'hubble-generate-certs', certgen(' hubble-metrics-server-certs hubble-ui-client-certs')],
])('in %s, %s %s allows what upstream’s allows', (line, kind, name, rows) => {
  expect(granted(line, kind, name)).toEqual(ruleTable(rows));
});

function certgen(more: string): readonly RuleRow[] {
  return [
    ['', 'secrets', 'create'],
    ['', 'secrets', 'update', `hubble-server-certs hubble-relay-client-certs hubble-relay-server-certs${more}`],
    ['', 'secrets', 'get update', 'cilium-ca'],
  ];
}
