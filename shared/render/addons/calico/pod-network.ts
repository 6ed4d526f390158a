/** Values of environment variables by name. */
type Environment = Readonly<Record<string, string>>;

/** How the pods' network is made, which depends on its IP version. */
export interface PodNetwork {
  /** Options of Calico's IPAM plugin. */
  readonly ipam: Environment;
  readonly environment: Environment;
  /** Parts of calico-node whose health is asked for. */
  readonly routing: 'bird' | 'bird6';
}

/**
 * As upstream's manifest has it, but that the pool is named rather than read out of kubeadm's ConfigMap, which a user may
 * change or remove. The name only counts until the first pool exists.
 */
function ipv4Network(podCidr: string): PodNetwork {
  return {
    ipam: {},
    environment: {
      IP: 'autodetect',
      CALICO_IPV4POOL_CIDR: podCidr,
      CALICO_IPV4POOL_IPIP: 'Always',
      CALICO_IPV4POOL_VXLAN: 'Never',
      CALICO_IPV6POOL_VXLAN: 'Never',
      FELIX_IPV6SUPPORT: 'false',
    },
    routing: 'bird',
  };
}

/**
 * What upstream's guide to IPv6 only asks for, made to work in Neutron networks: those drop what has the address of a pod, so
 * that it is wrapped in VXLAN (IP-in-IP knows IPv4 only), and pods reach the world by the address of their node, as with IPv4.
 * The IPv4 pool is there but idle: calico-node ignores CALICO_IPV6POOL_VXLAN where there shall be none.
 */
function ipv6Network(podCidr: string): PodNetwork {
  return {
    ipam: { assign_ipv4: 'false', assign_ipv6: 'true' },
    environment: {
      IP: 'none',
      IP6: 'autodetect',
      // BGP wants 32 bits, which otherwise are the node's IPv4 address.
      CALICO_ROUTER_ID: 'hash',
      CALICO_IPV4POOL_IPIP: 'Never',
      CALICO_IPV4POOL_VXLAN: 'Never',
      CALICO_IPV4POOL_NAT_OUTGOING: 'false',
      CALICO_IPV6POOL_CIDR: podCidr,
      CALICO_IPV6POOL_VXLAN: 'Always',
      CALICO_IPV6POOL_NAT_OUTGOING: 'true',
      FELIX_IPV6SUPPORT: 'true',
    },
    routing: 'bird6',
  };
}

export function podNetwork(podCidr: string): PodNetwork {
  return podCidr.includes(':') ? ipv6Network(podCidr) : ipv4Network(podCidr);
}
