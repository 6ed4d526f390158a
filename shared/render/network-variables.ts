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
  readonly apiServerLoadBalancerManaged: boolean;
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
  return live === null ? wanted : liveVariables(live, wanted);
}

function wantedVariables({ network, apiServer }: ClusterIntent, facts: CloudFacts): NetworkVariables {
  return {
    externalNetworkId: facts.externalNetworkId,
    fixedNetworkId: facts.fixedNetworkId ?? '',
    fixedSubnetId: facts.fixedSubnetId ?? '',
    nodeCidr: network.nodeCidr,
    dnsNameservers: network.dnsNameservers,
    apiServerLoadBalancer: loadBalancer(apiServer.loadBalancer),
    apiServerLoadBalancerManaged: true,
    apiServerFloatingIP: apiServer.floatingIp ?? '',
    disableAPIServerFloatingIP: !apiServer.floatingIpEnabled,
    disableAPIServerFloatingIPManaged: !apiServer.floatingIpEnabled,
  };
}

/**
 * For CAPO a missing field and its default are different values, so what lives is repeated as it is, presence included
 * (original-facts §3.3). The labels say only what the class asks for and CAPO does not use.
 */
function liveVariables(live: LiveInfrastructure, wanted: NetworkVariables): NetworkVariables {
  const [subnet] = live.managedSubnets ?? [];
  const { apiServerLoadBalancer, disableAPIServerFloatingIP } = live;
  return {
    externalNetworkId: live.externalNetwork.id,
    fixedNetworkId: live.network?.id ?? '',
    fixedSubnetId: live.subnets?.[0]?.id ?? '',
    nodeCidr: subnet?.cidr ?? wanted.nodeCidr,
    dnsNameservers: subnet === undefined ? wanted.dnsNameservers : (subnet.dnsNameservers ?? []),
    apiServerLoadBalancer: loadBalancer(apiServerLoadBalancer ?? { enabled: false }),
    apiServerLoadBalancerManaged: apiServerLoadBalancer !== undefined,
    apiServerFloatingIP: live.apiServerFloatingIP ?? '',
    disableAPIServerFloatingIP: disableAPIServerFloatingIP ?? false,
    disableAPIServerFloatingIPManaged: disableAPIServerFloatingIP !== undefined,
  };
}

type Choice = string | null | undefined;

interface LoadBalancerChoice {
  readonly enabled: boolean;
  readonly provider?: Choice;
  readonly flavor?: Choice;
  readonly availabilityZone?: Choice;
}

/** Fields that are not set are left out: the schema refuses null. */
function loadBalancer(choice: LoadBalancerChoice): NetworkVariables['apiServerLoadBalancer'] {
  const { enabled, provider, flavor, availabilityZone } = choice;
  return {
    enabled,
    ...(provider == null ? {} : { provider }),
    ...(flavor == null ? {} : { flavor }),
    ...(availabilityZone == null ? {} : { availabilityZone }),
  };
}
