import { definitionNames } from './custom-resources.ts';
import { configName } from './names.ts';
import { ciliumRule, named, type Rule, read, rule } from './policy-rule.ts';
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
  ciliumRule('ciliumnetworkpolicies ciliumclusterwidenetworkpolicies', `create update deletecollection patch ${read}`),
  ciliumRule('ciliumnetworkpolicies/status ciliumclusterwidenetworkpolicies/status', 'patch update'),
  ciliumRule('ciliumendpoints ciliumidentities', 'delete list watch'),
  ciliumRule('ciliumidentities', 'update'),
  ciliumRule('ciliumnodes', `create update delete ${read}`),
  ciliumRule('ciliumnodes/status', 'update'),
  ciliumRule(
    'ciliumendpointslices ciliumenvoyconfigs ciliumbgppeerconfigs ciliumbgpadvertisements ciliumbgpnodeconfigs',
    `create update delete patch ${read}`,
  ),
  ciliumRule('ciliumloadbalancerippools ciliumpodippools', read),
  ciliumRule('ciliumpodippools', 'create'),
  ciliumRule('ciliumloadbalancerippools/status', 'patch'),
];

const bgpKinds = ['clusterconfigs', 'peerconfigs', 'advertisements', 'nodeconfigs', 'nodeconfigoverrides'];

const lineRules: Readonly<Record<CiliumLine, readonly Rule[]>> = {
  'v1.15': [rule('', 'endpoints', read), ciliumRule('ciliumbgpclusterconfigs ciliumbgpnodeconfigoverrides', read)],
  'v1.20': [
    named(rule('', 'configmaps', 'patch'), [configName]),
    rule('', 'secrets serviceaccounts', read),
    ciliumRule(
      'ciliumbgpclusterconfigs ciliumbgpnodeconfigoverrides ciliumcidrgroups',
      `create update delete patch ${read}`,
    ),
    ciliumRule('ciliumbgpclusterconfigs/status ciliumbgppeerconfigs/status', 'update'),
    ciliumRule('ciliumdatapathplugins', read),
    ciliumRule('ciliumendpointslices', 'deletecollection'),
    named(
      rule('apiextensions.k8s.io', 'customresourcedefinitions/status', 'update'),
      bgpKinds.map((kind) => `ciliumbgp${kind}.cilium.io`),
    ),
  ],
};
