import { configMap, type Manifest } from '../manifest.ts';
import { lineConfig, type Settings } from './cilium-config-lines.ts';
import type { Installation } from './installation.ts';
import { configName, directories, ports } from './names.ts';

/** What agents and operator read. The chart's defaults, but for chaining, the pods' network and the service proxy's name. */
export function ciliumConfig(installation: Installation): Manifest {
  const common = { ...identity, ...datapath, ...services, ...policy, ...files, ...hubble };
  const settings: Settings = { ...common, ...podNetwork(installation), ...lineConfig(installation.line) };
  const texts = Object.entries(settings).map(([key, value]) => [key, String(value)]);
  return configMap({ name: configName }, Object.fromEntries(texts));
}

/**
 * A pod network has one family. Tunnels of v1.15 run over IPv4 alone, those of v1.20 over the family that is on: pods with
 * IPv6 need nodes with IPv6, which only networks of the user's own have.
 */
function podNetwork({ line, ipFamily, podCidr, loopback }: Installation): Settings {
  const isIpv6 = ipFamily === 'ipv6';
  return {
    'enable-ipv4': !isIpv6,
    'enable-ipv6': isIpv6,
    [`cluster-pool-${ipFamily}-cidr`]: podCidr,
    [`cluster-pool-${ipFamily}-mask-size`]: isIpv6 ? 120 : 24,
    'operator-api-serve-addr': `${isIpv6 ? `[${loopback}]` : loopback}:${ports.operatorHealth}`,
    ...(isIpv6 && line !== 'v1.15' ? { 'hubble-prefer-ipv6': true } : {}),
  };
}

const identity: Settings = {
  'cluster-name': 'default',
  'cluster-id': 0,
  'max-connected-clusters': 255,
  'identity-allocation-mode': 'crd',
  'identity-heartbeat-timeout': '30m0s',
  'identity-gc-interval': '15m0s',
  'cilium-endpoint-gc-interval': '5m0s',
  'nodes-gc-interval': '5m0s',
  'enable-well-known-identities': false,
  'synchronize-k8s-nodes': true,
  'agent-not-ready-taint-key': 'node.cilium.io/agent-not-ready',
  'remove-cilium-node-taints': true,
  'set-cilium-node-taints': true,
  'set-cilium-is-up-condition': true,
  'enable-endpoint-health-checking': true,
  'enable-health-checking': true,
  ipam: 'cluster-pool',
  'ipam-cilium-node-update-rate': '15s',
};

const datapath: Settings = {
  'routing-mode': 'tunnel',
  'tunnel-protocol': 'vxlan',
  'auto-direct-node-routes': false,
  // The portmap plugin serves host ports, which Cilium leaves to it without a replacement of kube-proxy.
  'cni-chaining-mode': 'portmap',
  // Packets of chained plugins have to pass the host's stack.
  'enable-host-legacy-routing': true,
  'enable-ipv4-masquerade': true,
  'enable-ipv6-masquerade': true,
  'enable-masquerade-to-route-source': false,
  'enable-ipv4-big-tcp': false,
  'enable-ipv6-big-tcp': false,
  'enable-xt-socket-fallback': true,
  'install-no-conntrack-iptables-rules': false,
  'enable-bpf-clock-probe': false,
  'monitor-aggregation': 'medium',
  'monitor-aggregation-interval': '5s',
  'monitor-aggregation-flags': 'all',
  'bpf-map-dynamic-size-ratio': '0.0025',
  'bpf-policy-map-max': 16_384,
  'preallocate-bpf-maps': false,
  'egress-gateway-reconciliation-trigger-interval': '1s',
  'enable-vtep': false,
  'vtep-endpoint': '',
  'vtep-cidr': '',
  'vtep-mask': '',
  'vtep-mac': '',
};

const services: Settings = {
  // Kube-proxy serves what is not labelled for another proxy; Cilium takes only Services with this name in their label.
  'k8s-service-proxy-name': 'cilium',
  'kube-proxy-replacement': false,
  'bpf-lb-map-max': 65_536,
  'bpf-lb-external-clusterip': false,
  'bpf-lb-sock': false,
  'bpf-lb-acceleration': 'disabled',
  'service-no-backend-response': 'reject',
  'enable-health-check-nodeport': true,
  'enable-health-check-loadbalancer-ip': false,
  'node-port-bind-protection': true,
  'enable-auto-protect-node-port-range': true,
  'enable-sctp': false,
};

const policy: Settings = {
  'enable-policy': 'default',
  'enable-k8s-networkpolicy': true,
  'policy-cidr-match-mode': '',
  'enable-l7-proxy': true,
  'proxy-connect-timeout': 2,
  'proxy-max-requests-per-connection': 0,
  'proxy-max-connection-duration-seconds': 0,
  'mesh-auth-queue-size': 1024,
  'mesh-auth-rotated-identities-queue-size': 1024,
  'mesh-auth-gc-interval': '5m0s',
  'tofqdns-dns-reject-response-code': 'refused',
  'tofqdns-enable-dns-compression': true,
  'tofqdns-idle-connection-grace-period': '0s',
  'tofqdns-max-deferred-connection-deletes': 10_000,
  'tofqdns-proxy-response-max-delay': '100ms',
};

const files: Settings = {
  debug: false,
  'debug-verbose': '',
  'enable-metrics': true,
  'operator-prometheus-serve-addr': `:${ports.operatorMetrics}`,
  'custom-cni-conf': false,
  'write-cni-conf-when-ready': `/host${directories.cniConfiguration}/05-cilium.conflist`,
  'cni-exclusive': true,
  'cni-log-file': `${directories.state}/cilium-cni.log`,
  procfs: '/host/proc',
  'bpf-root': directories.bpf,
  'cgroup-root': directories.cgroup,
};

const hubble: Settings = {
  'enable-hubble': true,
  'hubble-socket-path': `${directories.state}/hubble.sock`,
  'hubble-listen-address': `:${ports.hubblePeer}`,
  'hubble-disable-tls': false,
  'hubble-tls-cert-file': `${directories.hubbleTls}/server.crt`,
  'hubble-tls-key-file': `${directories.hubbleTls}/server.key`,
  'hubble-tls-client-ca-files': `${directories.hubbleTls}/client-ca.crt`,
};
