import type { V1ClusterRoleBinding } from '@kubernetes/client-node';
import { expect, test } from 'vitest';
import { type RuleRow, rulesOfRole, ruleTable } from '../testing/rules-of.ts';
import type { CalicoLine } from './releases.ts';
import { calicoRoles } from './roles.ts';

// Facts: projectcalico/calico, manifests/calico.yaml of v3.31.7 and v3.32.1, rule by rule.

const own = 'crd.projectcalico.org';
const both = `projectcalico.org ${own}`;

function nodeRows(groups: string): RuleRow[] {
  return [
    ['', 'serviceaccounts/token', 'create', 'calico-cni-plugin'],
    ['', 'pods nodes namespaces', 'get'],
    ['discovery.k8s.io', 'endpointslices', 'watch list'],
    ['', 'endpoints services', 'watch list get'],
    ['', 'configmaps', 'get'],
    ['', 'nodes/status', 'patch update'],
    ['networking.k8s.io', 'networkpolicies', 'watch list'],
    ['', 'pods namespaces serviceaccounts', 'list watch'],
    ['', 'pods/status', 'patch'],
    [groups, 'globalfelixconfigs globalbgpconfigs felixconfigurations bgppeers bgpfilters', 'get list watch'],
    [groups, 'bgpconfigurations ippools ipreservations ipamblocks clusterinformations tiers', 'get list watch'],
    [groups, 'globalnetworkpolicies stagedglobalnetworkpolicies networkpolicies', 'get list watch'],
    [groups, 'stagednetworkpolicies stagedkubernetesnetworkpolicies', 'get list watch'],
    [groups, 'globalnetworksets networksets hostendpoints blockaffinities caliconodestatuses', 'get list watch'],
    [groups, 'tiers', 'create'],
    [groups, 'ippools felixconfigurations clusterinformations', 'create update'],
    [groups, 'caliconodestatuses', 'update'],
    ['', 'nodes', 'get list watch'],
    [groups, 'bgpconfigurations bgppeers', 'create update'],
    [groups, 'blockaffinities ipamblocks ipamhandles', 'get list create update delete'],
    [groups, 'ipamconfigs', 'get create'],
    [groups, 'blockaffinities', 'watch'],
    ['apps', 'daemonsets', 'get'],
  ];
}

function pluginRows(groups: string): RuleRow[] {
  return [
    ['', 'pods nodes namespaces', 'get'],
    ['', 'pods/status', 'patch'],
    [groups, 'blockaffinities ipamblocks ipamhandles clusterinformations', 'get list create update delete'],
    [groups, 'ippools ipreservations ipamconfigs', 'get list create update delete'],
  ];
}

function controllersRows(groups: string): RuleRow[] {
  return [
    ['', 'nodes pods namespaces', 'get list watch'],
    ['', 'services services/status', 'get list update watch'],
    [groups, 'ipreservations', 'list'],
    [groups, 'blockaffinities ipamblocks ipamhandles ipamconfigs tiers', 'get list create update delete watch'],
    [groups, 'ippools', 'list watch'],
    [groups, 'hostendpoints', 'get list create update delete watch'],
    [groups, 'clusterinformations kubecontrollersconfigurations', 'get list create update watch'],
  ];
}

test.each<[line: CalicoLine, name: string, rows: RuleRow[]]>([
  [
    'v3.31',
    'calico-node',
    [...nodeRows(own), ['policy.networking.k8s.io', 'adminnetworkpolicies baselineadminnetworkpolicies', 'list watch']],
  ],
  [
    'v3.32',
    'calico-node',
    [
      ...nodeRows(both),
      [both, 'ipamconfigurations', 'get create'],
      ['policy.networking.k8s.io', 'clusternetworkpolicies', 'list watch'],
      ['kubevirt.io', 'virtualmachineinstancemigrations', 'get list watch'],
    ],
  ],
  ['v3.31', 'calico-cni-plugin', pluginRows(own)],
  [
    'v3.32',
    'calico-cni-plugin',
    [
      ...pluginRows(both),
      [both, 'ipamconfigurations', 'get list create update delete'],
      ['kubevirt.io', 'virtualmachineinstances virtualmachines', 'get'],
    ],
  ],
  ['v3.31', 'calico-kube-controllers', controllersRows(own)],
  [
    'v3.32',
    'calico-kube-controllers',
    [
      ...controllersRows(both),
      [both, 'ipamconfigurations', 'get list create update delete watch'],
      [both, 'kubecontrollersconfigurations/status', 'get update'],
      [both, 'networkpolicies stagednetworkpolicies', 'get list watch create update delete'],
      [both, 'globalnetworkpolicies stagedglobalnetworkpolicies', 'get list watch create update delete'],
      ['apps', 'daemonsets deployments', 'get list watch'],
      [
        'migration.projectcalico.org',
        'datastoremigrations datastoremigrations/status',
        'get list watch create update patch',
      ],
      ['apiextensions.k8s.io', 'customresourcedefinitions', 'get list watch delete'],
      ['apiregistration.k8s.io', 'apiservices', 'get list watch create delete'],
      ['projectcalico.org', '*', 'get list watch create update patch delete'],
      [own, '*', 'get list watch'],
      ['kubevirt.io', 'virtualmachines virtualmachineinstances', 'get list watch'],
    ],
  ],
  ['v3.31', 'calico-tier-getter', [['projectcalico.org', 'tiers', 'get']]],
  ['v3.32', 'calico-tier-getter', [['projectcalico.org', 'tiers', 'get']]],
])('in %s, %s may do exactly what upstream grants', (line, name, rows) => {
  expect(rulesOfRole(calicoRoles(line), 'ClusterRole', name)).toEqual(ruleTable(rows));
});

test('each role is bound to the service account of its name, that for the tiers to a user', () => {
  const bindings = calicoRoles('v3.32').filter(({ kind }) => kind === 'ClusterRoleBinding');
  const apiGroup = 'rbac.authorization.k8s.io';
  const account = (name: string) => [{ kind: 'ServiceAccount', name, namespace: 'kube-system' }];
  const facts = bindings.map((binding) => {
    const { metadata, roleRef, subjects } = binding as unknown as V1ClusterRoleBinding;
    return [metadata?.name, roleRef, subjects];
  });
  const roleRef = (name: string) => ({ apiGroup, kind: 'ClusterRole', name });
  expect(facts).toEqual([
    ...['calico-node', 'calico-cni-plugin', 'calico-kube-controllers'].map((name) => [
      name,
      roleRef(name),
      account(name),
    ]),
    [
      'calico-tier-getter',
      roleRef('calico-tier-getter'),
      [{ apiGroup, kind: 'User', name: 'system:kube-controller-manager' }],
    ],
  ]);
});
