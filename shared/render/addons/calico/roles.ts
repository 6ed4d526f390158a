import type { V1PolicyRule } from '@kubernetes/client-node';
import type { Wire } from '../../../kubernetes/kubernetes-object.ts';
import { clusterRole, clusterRoleBinding, type Manifest } from '../manifest.ts';
import type { CalicoLine } from './releases.ts';

type Rule = Wire<V1PolicyRule>;

/** Lists are written as words with spaces between them. */
type Grant = readonly [resources: string, verbs: string, groups?: string];

const calicoGroup = 'crd.projectcalico.org';
const core = '';
const watched = 'get list watch';

function rules(grants: readonly Grant[], defaultGroups: string): Rule[] {
  return grants.map(([resources, verbs, groups = defaultGroups]) => ({
    apiGroups: groups.split(' '),
    resources: resources.split(' '),
    verbs: verbs.split(' '),
  }));
}

/** Grants of the one group that has no name, and of Calico's own. */
interface AccountGrants {
  readonly calico: readonly Grant[];
  readonly others: readonly Grant[];
}

const addressData = 'blockaffinities ipamblocks ipamhandles';
const written = 'get list create update delete';

/** Before 3.32 the agents knew one API group; now the other may hold their data too, where it has the older names. */
const calicoGroups: Readonly<Record<CalicoLine, string>> = {
  'v3.31': calicoGroup,
  'v3.32': `projectcalico.org ${calicoGroup}`,
};

const ipamSettings: Readonly<Record<CalicoLine, string>> = {
  'v3.31': 'ipamconfigs',
  'v3.32': 'ipamconfigurations ipamconfigs',
};

function nodeGrants(line: CalicoLine): AccountGrants {
  const newer = line === 'v3.32';
  const policies = newer ? 'clusternetworkpolicies' : 'adminnetworkpolicies baselineadminnetworkpolicies';
  const kubevirt: readonly Grant[] = [['virtualmachineinstancemigrations', watched, 'kubevirt.io']];
  return {
    calico: [
      [
        'globalfelixconfigs globalbgpconfigs felixconfigurations bgppeers bgpfilters bgpconfigurations ippools ' +
          'ipreservations ipamblocks globalnetworkpolicies stagedglobalnetworkpolicies networkpolicies ' +
          'stagednetworkpolicies stagedkubernetesnetworkpolicies globalnetworksets networksets clusterinformations ' +
          'hostendpoints blockaffinities caliconodestatuses tiers',
        watched,
      ],
      ['tiers', 'create'],
      ['ippools felixconfigurations bgpconfigurations clusterinformations bgppeers', 'create update'],
      ['caliconodestatuses', 'update'],
      [addressData, written],
      [ipamSettings[line], 'get create'],
    ],
    others: [
      ['pods nodes namespaces', watched],
      ['serviceaccounts', 'list watch'],
      ['endpoints services', watched],
      ['configmaps', 'get'],
      ['nodes/status', 'patch update'],
      ['pods/status', 'patch'],
      ['endpointslices', 'list watch', 'discovery.k8s.io'],
      ['networkpolicies', 'list watch', 'networking.k8s.io'],
      [policies, 'list watch', 'policy.networking.k8s.io'],
      ['daemonsets', 'get', 'apps'],
      ...(newer ? kubevirt : []),
    ],
  };
}

function pluginGrants(line: CalicoLine): AccountGrants {
  const kubevirt: readonly Grant[] = [['virtualmachineinstances virtualmachines', 'get', 'kubevirt.io']];
  return {
    calico: [[`${addressData} clusterinformations ippools ipreservations ${ipamSettings[line]}`, written]],
    others: [['pods nodes namespaces', 'get'], ['pods/status', 'patch'], ...(line === 'v3.32' ? kubevirt : [])],
  };
}

/** The wide grants of 3.32 are for moving Calico's data to the other API group, which an operator may ask for. */
const controllersSince32: AccountGrants = {
  calico: [
    ['kubecontrollersconfigurations/status', 'get update'],
    [
      'networkpolicies stagednetworkpolicies globalnetworkpolicies stagedglobalnetworkpolicies',
      `${watched} create update delete`,
    ],
    ['*', watched],
  ],
  others: [
    ['daemonsets deployments', watched, 'apps'],
    ['datastoremigrations datastoremigrations/status', `${watched} create update patch`, 'migration.projectcalico.org'],
    ['customresourcedefinitions', `${watched} delete`, 'apiextensions.k8s.io'],
    ['apiservices', `${watched} create delete`, 'apiregistration.k8s.io'],
    ['*', `${watched} create update patch delete`, 'projectcalico.org'],
    ['virtualmachines virtualmachineinstances', watched, 'kubevirt.io'],
  ],
};

function controllersGrants(line: CalicoLine): AccountGrants {
  const since32 = line === 'v3.32' ? controllersSince32 : { calico: [], others: [] };
  return {
    calico: [
      ['ipreservations', 'list'],
      [`${addressData} ${ipamSettings[line]} tiers hostendpoints`, `${written} watch`],
      ['ippools', 'list watch'],
      ['clusterinformations kubecontrollersconfigurations', `${watched} create update`],
      ...since32.calico,
    ],
    others: [['nodes pods namespaces', watched], ['services services/status', `${watched} update`], ...since32.others],
  };
}

/** The agent makes the tokens by which the plugin on its node signs in. */
const pluginToken: Rule = {
  apiGroups: [core],
  resources: ['serviceaccounts/token'],
  resourceNames: ['calico-cni-plugin'],
  verbs: ['create'],
};

export function calicoRoles(line: CalicoLine): readonly Manifest[] {
  const ruled = ({ calico, others }: AccountGrants) => [...rules(others, core), ...rules(calico, calicoGroups[line])];
  return [
    ...accountRole('calico-node', [...ruled(nodeGrants(line)), pluginToken]),
    ...accountRole('calico-cni-plugin', ruled(pluginGrants(line))),
    ...accountRole('calico-kube-controllers', ruled(controllersGrants(line))),
    ...tierGetter(),
  ];
}

/** A role and the service account of the same name that has it. */
function accountRole(name: string, granted: readonly Rule[]): Manifest[] {
  return [clusterRole({ name }, granted), clusterRoleBinding({ name }, { role: name, serviceAccount: name })];
}

/** Calico's API server, if one is installed, answers whoever may get the tier: the garbage collector has to. */
function tierGetter(): Manifest[] {
  const name = 'calico-tier-getter';
  const binding = {
    ...clusterRoleBinding({ name }, { role: name, serviceAccount: '' }),
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'system:kube-controller-manager' }],
  };
  return [clusterRole({ name }, rules([['tiers', 'get']], 'projectcalico.org')), binding];
}
