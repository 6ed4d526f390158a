import type { ClusterIntent } from '../magnum/cluster-intent.ts';
import type { CloudFacts } from './cloud-facts.ts';
import type { LiveInfrastructure } from './live-infrastructure.ts';

/** Variables that end in the OpenStackCluster and that CAPO lets nobody change. */
type NetworkVariables = {
  readonly externalNetworkId: string;
  readonly fixedNetworkId: string;
  readonly fixedSubnetId: string;
  readonly nodeCidr: string;
  readonly dnsNameservers: readonly string[];
  readonly apiServerLoadBalancer: {
    readonly enabled: boolean;
    readonly provider?: string;
    readonly flavor?: string;
    readonly availabilityZone?: string;
  };
  readonly apiServerFloatingIP: string;
  readonly disableAPIServerFloatingIP: boolean;
  readonly disableAPIServerFloatingIPManaged: boolean;
};

/** What is asked for, or, for a cluster that exists, what it lives with. */
export function networkVariables(
  intent: ClusterIntent,
  facts: CloudFacts,
  live: LiveInfrastructure | null,
): NetworkVariables {
  const wanted = wantedVariables(intent, facts);
  return live === null ? wanted : { ...wanted, ...liveVariables(live, wanted) };
}

function wantedVariables({ network, apiServer }: ClusterIntent, facts: CloudFacts): NetworkVariables {
  return {
    externalNetworkId: facts.externalNetworkId,
    fixedNetworkId: facts.fixedNetworkId ?? '',
    fixedSubnetId: facts.fixedSubnetId ?? '',
    nodeCidr: network.nodeCidr,
    dnsNameservers: network.dnsNameservers,
    apiServerLoadBalancer: loadBalancer(apiServer.loadBalancer.enabled, apiServer.loadBalancer),
    apiServerFloatingIP: apiServer.floatingIp ?? '',
    disableAPIServerFloatingIP: !apiServer.floatingIpEnabled,
    disableAPIServerFloatingIPManaged: !apiServer.floatingIpEnabled,
  };
}

/** For CAPO a missing field and its default are different values, so what lives is repeated as it is (original-facts §3.3). */
function liveVariables(live: LiveInfrastructure, wanted: NetworkVariables): Partial<NetworkVariables> {
  const [subnet] = live.managedSubnets ?? [];
  const { enabled } = live.apiServerLoadBalancer ?? {};
  return {
    externalNetworkId: live.externalNetwork?.id ?? wanted.externalNetworkId,
    fixedNetworkId: live.network?.id ?? '',
    fixedSubnetId: live.subnets?.[0]?.id ?? '',
    ...(subnet === undefined ? {} : { nodeCidr: subnet.cidr, dnsNameservers: subnet.dnsNameservers ?? [] }),
    ...(enabled === undefined ? {} : { apiServerLoadBalancer: loadBalancer(enabled, live.apiServerLoadBalancer) }),
    apiServerFloatingIP: live.apiServerFloatingIP ?? '',
    disableAPIServerFloatingIP: live.disableAPIServerFloatingIP ?? false,
    disableAPIServerFloatingIPManaged: live.disableAPIServerFloatingIP !== undefined,
  };
}

type Choice = string | null | undefined;

/** Fields that are not set are left out: the schema refuses null. */
function loadBalancer(
  enabled: boolean,
  choices: { readonly provider?: Choice; readonly flavor?: Choice; readonly availabilityZone?: Choice } = {},
): NetworkVariables['apiServerLoadBalancer'] {
  const { provider, flavor, availabilityZone } = choices;
  return {
    enabled,
    ...(provider == null ? {} : { provider }),
    ...(flavor == null ? {} : { flavor }),
    ...(availabilityZone == null ? {} : { availabilityZone }),
  };
}
