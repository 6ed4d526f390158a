import { definitionNames } from './custom-resources.ts';
import { configName } from './names.ts';
import { named, type Rule, read, rule } from './policy-rule.ts';
import type { CiliumLine } from './releases.ts';

const definitions = ['apiextensions.k8s.io', 'customresourcedefinitions'] as const;

export function operatorRules(line: CiliumLine): readonly Rule[] {
  return [
    // Deletes DNS pods that were there before Cilium.
    rule('', 'pods', `${read} delete`),
    rule('', 'nodes', 'list watch'),
    rule('', 'nodes nodes/status', 'patch'),
    rule('', 'namespaces services', read),
    rule('', 'services/status', 'update patch'),
    rule('discovery.k8s.io', 'endpointslices', read),
    rule('coordination.k8s.io', 'leases', 'create get update'),
    rule(...definitions, `create ${read}`),
    named(rule(...definitions, 'update'), definitionNames(line)),
    ...customResourceRules,
    ...lineRules[line],
  ];
}

const customResourceRules: readonly Rule[] = [
  rule(
    'cilium.io',
    'ciliumnetworkpolicies ciliumclusterwidenetworkpolicies',
    `create update deletecollection patch ${read}`,
  ),
  rule('cilium.io', 'ciliumnetworkpolicies/status ciliumclusterwidenetworkpolicies/status', 'patch update'),
  rule('cilium.io', 'ciliumendpoints ciliumidentities', 'delete list watch'),
  rule('cilium.io', 'ciliumidentities', 'update'),
  rule('cilium.io', 'ciliumnodes', `create update delete ${read}`),
  rule('cilium.io', 'ciliumnodes/status', 'update'),
  rule(
    'cilium.io',
    'ciliumendpointslices ciliumenvoyconfigs ciliumbgppeerconfigs ciliumbgpadvertisements ciliumbgpnodeconfigs',
    `create update delete patch ${read}`,
  ),
  rule('cilium.io', 'ciliumloadbalancerippools ciliumpodippools', read),
  rule('cilium.io', 'ciliumpodippools', 'create'),
  rule('cilium.io', 'ciliumloadbalancerippools/status', 'patch'),
];

const bgpKinds = ['clusterconfigs', 'peerconfigs', 'advertisements', 'nodeconfigs', 'nodeconfigoverrides'];

const lineRules: Readonly<Record<CiliumLine, readonly Rule[]>> = {
  'v1.15': [
    rule('', 'endpoints', read),
    rule('cilium.io', 'ciliumbgpclusterconfigs ciliumbgpnodeconfigoverrides', read),
  ],
  'v1.20': [
    named(rule('', 'configmaps', 'patch'), [configName]),
    rule('', 'secrets serviceaccounts', read),
    rule(
      'cilium.io',
      'ciliumbgpclusterconfigs ciliumbgpnodeconfigoverrides ciliumcidrgroups',
      `create update delete patch ${read}`,
    ),
    rule('cilium.io', 'ciliumbgpclusterconfigs/status ciliumbgppeerconfigs/status', 'update'),
    rule('cilium.io', 'ciliumdatapathplugins', read),
    rule('cilium.io', 'ciliumendpointslices', 'deletecollection'),
    named(
      rule('apiextensions.k8s.io', 'customresourcedefinitions/status', 'update'),
      bgpKinds.map((kind) => `ciliumbgp${kind}.cilium.io`),
    ),
  ],
};
