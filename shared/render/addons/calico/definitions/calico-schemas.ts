import { checked, invalid } from '../../custom-resources/checks.ts';
import { defaultText, integer, list, object, type Schema } from '../../custom-resources/schema.ts';
import type { CalicoLine } from '../releases.ts';
import { bgpConfiguration, bgpPeer, filterRule, password, serviceLoadBalancerAggregation } from './bgp-schemas.ts';
import { felixConfiguration, hostEndpoint } from './felix-schemas.ts';
import { ipPool } from './ip-pool-schema.ts';
import { globalPolicy, namespacedPolicy, staged } from './policy-schemas.ts';

type Schemas = Readonly<Record<string, Schema>>;

function ofSpec(properties: Readonly<Record<string, Schema>>): Schema {
  return object({ spec: object(properties) });
}

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
