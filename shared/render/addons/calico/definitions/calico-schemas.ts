import {
  anything,
  checked,
  defaultText,
  flag,
  forbidden,
  given,
  integer,
  invalid,
  list,
  object,
  oneOf,
  type Schema,
  set,
  shortText,
  text,
} from '../../custom-resources/schema.ts';
import type { CalicoLine } from '../releases.ts';
import { globalPolicy, namespacedPolicy, staged } from './policy-schemas.ts';

type Schemas = Readonly<Record<string, Schema>>;

function ofSpec(properties: Readonly<Record<string, Schema>>): Schema {
  return object({ spec: object(properties) });
}

const password = object({ secretKeyRef: object({ name: defaultText('') }) });
const serviceLoadBalancerAggregation = defaultText('Enabled');
const loadBalancer = object({ assignIPs: defaultText('AllServices') });

/** The controllers' settings, and in the status those that they run with. */
function controllersConfiguration(settings: Schema): Schema {
  return object({ spec: settings, status: object({ runningConfig: settings }) });
}

const sinceEver: Schemas = {
  BGPConfiguration: ofSpec({ nodeMeshPassword: password, serviceLoadBalancerAggregation }),
  BGPPeer: ofSpec({ password }),
  IPAMBlock: ofSpec({ sequenceNumber: { ...integer, format: 'int64', default: 0 } }),
  KubeControllersConfiguration: controllersConfiguration(object({ controllers: object({ loadBalancer }) })),
};

const meshIsOff = 'has(self.nodeToNodeMeshEnabled) && !self.nodeToNodeMeshEnabled';

const bgpConfiguration = checked(
  object({
    logSeverityScreen: defaultText('Info'),
    nodeMeshMaxRestartTime: text,
    nodeMeshPassword: password,
    nodeToNodeMeshEnabled: flag,
    serviceLoadBalancerAggregation,
  }),
  ...['nodeMeshPassword', 'nodeMeshMaxRestartTime'].map((field) =>
    forbidden(`!(has(self.${field}) && ${meshIsOff})`, `${field} has no use while nodeToNodeMeshEnabled is false`),
  ),
);

const filterRule = checked(
  object(
    {
      action: oneOf('Accept', 'Reject'),
      cidr: shortText(43),
      matchOperator: oneOf('Equal', 'NotEqual', 'In', 'NotIn'),
      operations: list(anything, { maxItems: 10 }),
      prefixLength: anything,
    },
    ['action'],
  ),
  invalid(`${given('cidr')} == ${given('matchOperator')}`, 'cidr and matchOperator go together'),
  invalid(`!has(self.prefixLength) || ${given('cidr')}`, 'prefixLength needs a cidr'),
  invalid(`!${given('operations')} || self.action == 'Accept'`, 'operations need the action Accept'),
);

const selector = shortText(4096);
const numbered = '(has(self.asNumber) && self.asNumber != 0)';

function notBoth(one: string, other: string) {
  return forbidden(`!(${given(one)} && ${given(other)})`, `${one} and ${other} exclude each other`);
}

const bgpPeer = checked(
  object({
    asNumber: integer,
    localWorkloadSelector: selector,
    node: shortText(253),
    nodeSelector: selector,
    password,
    peerIP: shortText(64),
    peerSelector: selector,
  }),
  notBoth('node', 'nodeSelector'),
  notBoth('peerIP', 'peerSelector'),
  notBoth('peerIP', 'localWorkloadSelector'),
  notBoth('peerSelector', 'localWorkloadSelector'),
  forbidden(`!(${given('peerSelector')} && ${numbered})`, 'peerSelector and asNumber exclude each other'),
  invalid(`!${given('localWorkloadSelector')} || ${numbered}`, 'localWorkloadSelector needs an asNumber'),
);

const felixConfiguration = checked(
  object({
    spec: checked(
      object({
        nftablesMode: defaultText('Auto'),
        nodeSelector: shortText(1024),
        routeTableRange: anything,
        routeTableRanges: list(anything),
      }),
      forbidden(
        '!(has(self.routeTableRange) && has(self.routeTableRanges))',
        'routeTableRange and routeTableRanges exclude each other',
      ),
    ),
  }),
  forbidden(
    "!(self.metadata.name == 'default' || self.metadata.name.startsWith('node.')) || !has(self.spec.nodeSelector)",
    'nodeSelector has no use where the name says which nodes are meant',
  ),
);

const hostEndpoint = checked(
  object({ expectedIPs: list(text, { 'x-kubernetes-list-type': 'set' }), interfaceName: text, node: text }),
  invalid(`${given('interfaceName')} || ${given('expectedIPs')}`, 'needs an interfaceName or expectedIPs'),
  invalid(given('node'), 'needs a node'),
);

const encapsulation = oneOf('Never', 'Always', 'CrossSubnet');
const usedFor = (use: string) => `(has(self.allowedUses) && '${use}' in self.allowedUses)`;
const encapsulated = (mode: 'ipip' | 'vxlan') => `(has(self.${mode}Mode) && self.${mode}Mode != 'Never')`;

function unchanging(schema: Schema): Schema {
  return checked(schema, invalid('self == oldSelf', 'never changes: make another pool and move to it'));
}

const ipPool = checked(
  object(
    {
      allowedUses: set(oneOf('Workload', 'Tunnel', 'LoadBalancer'), 10),
      assignmentMode: defaultText('Automatic'),
      blockSize: unchanging(integer),
      cidr: unchanging(shortText(48)),
      ipipMode: encapsulation,
      vxlanMode: encapsulation,
    },
    ['cidr'],
  ),
  forbidden(`!(${encapsulated('ipip')} && ${encapsulated('vxlan')})`, 'ipipMode and vxlanMode exclude each other'),
  forbidden(
    `!(${usedFor('LoadBalancer')} && (${encapsulated('ipip')} || ${encapsulated('vxlan')}))`,
    'a pool for LoadBalancer has neither IPIP nor VXLAN',
  ),
  forbidden(
    `!(${usedFor('LoadBalancer')} && (${usedFor('Workload')} || ${usedFor('Tunnel')}))`,
    'a pool for LoadBalancer has no other use',
  ),
  forbidden(`!(self.cidr.contains(':') && ${encapsulated('ipip')})`, 'IPIP is for IPv4 only'),
);

const controllerSettings = object({
  controllers: object({ loadBalancer, policyMigration: object({ enabled: defaultText('Enabled') }) }),
  healthChecks: defaultText('Enabled'),
});

/** Tiers whose place among the others demands what follows where no policy of theirs decides. */
const tier = checked(
  object({ spec: object({ defaultAction: defaultText('Deny') }) }, ['metadata', 'spec']),
  ...Object.entries({ 'kube-admin': 'Pass', 'kube-baseline': 'Pass', default: 'Deny' }).map(([name, action]) =>
    invalid(
      `self.metadata.name != '${name}' || self.spec.defaultAction == '${action}'`,
      `the default action of tier ${name} is ${action}`,
    ),
  ),
);

/** Schemas of the objects by line and kind; a kind that is left out has neither defaults nor rules. */
export const calicoSchemas: Readonly<Record<CalicoLine, Schemas>> = {
  'v3.31': sinceEver,
  'v3.32': {
    ...sinceEver,
    BGPConfiguration: object({ spec: bgpConfiguration }),
    BGPFilter: ofSpec(
      Object.fromEntries(['exportV4', 'exportV6', 'importV4', 'importV6'].map((name) => [name, list(filterRule)])),
    ),
    BGPPeer: object({ spec: bgpPeer }),
    FelixConfiguration: felixConfiguration,
    GlobalNetworkPolicy: object({ spec: globalPolicy({}) }),
    HostEndpoint: object({ spec: hostEndpoint }),
    IPPool: object({ spec: ipPool }),
    KubeControllersConfiguration: controllersConfiguration(controllerSettings),
    NetworkPolicy: object({ spec: namespacedPolicy({}) }),
    StagedGlobalNetworkPolicy: object({ spec: globalPolicy(staged) }),
    StagedKubernetesNetworkPolicy: ofSpec(staged),
    StagedNetworkPolicy: object({ spec: namespacedPolicy(staged) }),
    Tier: tier,
  },
};
