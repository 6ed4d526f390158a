/** The ConfigMap of agents and operator. */
export const configName = 'cilium-config';

/** Namespace to which the operator copies the Secrets that policies name; v1.15 has none. */
export const secretsNamespace = 'cilium-secrets';

/** Directories that more than one part knows. */
export const directories = {
  state: '/var/run/cilium',
  bpf: '/sys/fs/bpf',
  cgroup: '/run/cilium/cgroupv2',
  cniBinaries: '/opt/cni/bin',
  cniConfiguration: '/etc/cni/net.d',
  envoySockets: '/var/run/cilium/envoy/sockets',
  hubbleTls: '/var/lib/cilium/tls/hubble',
} as const;

/** Ports that more than one part knows; those of agents, operator and Envoy are the node's own. */
export const ports = {
  agentHealth: 9879,
  hubblePeer: 4244,
  operatorHealth: 9234,
  operatorMetrics: 9963,
  envoyHealth: 9878,
  envoyMetrics: 9964,
  relay: 4245,
  relayHealth: 4222,
  ui: 8081,
  uiBackend: 8090,
} as const;
