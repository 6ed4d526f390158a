import type { Installation } from './installation.ts';
import { directories, ports } from './names.ts';

/** What Envoy starts with, as JSON: everything else comes from the agent over a socket (`envoy.config.bootstrap.v3.Bootstrap`). */
export function envoyBootstrap({ ipFamily, loopback }: Installation): string {
  const isIpv6 = ipFamily === 'ipv6';
  const internal = isIpv6 ? ['::1/128'] : ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.1/32'];
  const anyAddress = isIpv6 ? '::' : '0.0.0.0';
  return JSON.stringify({
    admin: { address: socket('admin', { mode: 0o660 }) },
    applicationLogConfig: { logFormat: { textFormat: '[%Y-%m-%d %T.%e][%t][%l][%n] [%g:%#] %v' } },
    bootstrapExtensions: [
      extension('bootstrap.internal_listener', 'envoy.extensions.bootstrap.internal_listener.v3.InternalListener'),
    ],
    dynamicResources,
    node: { cluster: 'ingress-cluster', id: 'host~127.0.0.1~no-id~localdomain' },
    overloadManager: { resourceMonitors: [connectionLimit] },
    staticResources: {
      clusters: [
        ...['ingress-cluster', 'egress-cluster'].flatMap((name) => [workloadCluster(name), tlsCluster(`${name}-tls`)]),
        { ...agentCluster, circuitBreakers },
        socketCluster('/envoy-admin', 'admin'),
      ],
      listeners: [
        listener({
          name: 'envoy-prometheus-metrics-listener',
          address: { address: anyAddress, portValue: ports.envoyMetrics },
          routes: [{ name: 'prometheus_metrics_route', prefix: '/metrics', adminPath: '/stats/prometheus' }],
          internal,
        }),
        listener({
          name: 'envoy-health-listener',
          address: { address: loopback, portValue: ports.envoyHealth },
          routes: [{ name: 'health', prefix: '/healthz', adminPath: '/ready' }],
          internal,
        }),
      ],
    },
  });
}

const agentClusterName = 'xds-grpc-cilium';

function typed(type: string, fields: object = {}) {
  return { '@type': `type.googleapis.com/${type}`, ...fields };
}

function extension(name: string, type: string, fields: object = {}) {
  return { name: `envoy.${name}`, typedConfig: typed(type, fields) };
}

function socket(name: string, more: object = {}) {
  return { pipe: { path: `${directories.envoySockets}/${name}.sock`, ...more } };
}

const fromAgent = { ads: {}, initialFetchTimeout: '30s', resourceApiVersion: 'V3' };

const dynamicResources = {
  adsConfig: {
    apiType: 'GRPC',
    grpcServices: [{ envoyGrpc: { clusterName: agentClusterName } }],
    setNodeOnFirstMessageOnly: true,
    transportApiVersion: 'V3',
  },
  cdsConfig: fromAgent,
  ldsConfig: fromAgent,
};

const connectionLimit = extension(
  'resource_monitors.global_downstream_max_connections',
  'envoy.extensions.resource_monitors.downstream_connections.v3.DownstreamConnectionsConfig',
  { max_active_downstream_connections: '50000' },
);

const circuitBreakers = { thresholds: [{ maxConnections: 1024, maxRequests: 1024, maxRetries: 128 }] };

function httpOptions(options: object) {
  const type = 'envoy.extensions.upstreams.http.v3.HttpProtocolOptions';
  return { typedExtensionProtocolOptions: { [type]: typed(type, options) } };
}

const workloadProtocol = {
  commonHttpProtocolOptions: { idleTimeout: '60s', maxConnectionDuration: '0s', maxRequestsPerConnection: 0 },
  useDownstreamProtocolConfig: {},
};

/** Where requests go on to: the address that they were meant for. */
function workloadCluster(name: string, protocol: object = workloadProtocol) {
  return {
    name,
    type: 'ORIGINAL_DST',
    lbPolicy: 'CLUSTER_PROVIDED',
    connectTimeout: '2s',
    cleanupInterval: '2.500s',
    circuitBreakers,
    ...httpOptions(protocol),
  };
}

function tlsCluster(name: string) {
  const transportSocket = { name: 'cilium.tls_wrapper', typedConfig: typed('cilium.UpstreamTlsWrapperContext') };
  return { ...workloadCluster(name, { ...workloadProtocol, upstreamHttpProtocolOptions: {} }), transportSocket };
}

function socketCluster(name: string, file: string) {
  const endpoints = [{ lbEndpoints: [{ endpoint: { address: socket(file) } }] }];
  return { name, type: 'STATIC', connectTimeout: '2s', loadAssignment: { clusterName: name, endpoints } };
}

const agentCluster = {
  ...socketCluster(agentClusterName, 'xds'),
  ...httpOptions({ explicitHttpConfig: { http2ProtocolOptions: {} } }),
};

interface Listener {
  readonly name: string;
  readonly address: { readonly address: string; readonly portValue: number };
  /** Paths of its own, and the ones of Envoy's administration that answer for them. */
  readonly routes: readonly { readonly name: string; readonly prefix: string; readonly adminPath: string }[];
  /** CIDRs whose requests count as internal. */
  readonly internal: readonly string[];
}

function listener({ name, address, routes, internal }: Listener) {
  const cidrRanges = internal.map((cidr) => {
    const [addressPrefix, prefixLength] = cidr.split('/');
    return { addressPrefix, prefixLen: Number(prefixLength) };
  });
  const virtualHosts = routes.map(({ name: route, prefix, adminPath }) => ({
    name: route,
    domains: ['*'],
    routes: [{ name: route, match: { prefix }, route: { cluster: '/envoy-admin', prefixRewrite: adminPath } }],
  }));
  const filters = 'envoy.extensions.filters';
  const manager = extension(
    'filters.network.http_connection_manager',
    `${filters}.network.http_connection_manager.v3.HttpConnectionManager`,
    {
      statPrefix: name,
      streamIdleTimeout: '300s',
      internalAddressConfig: { cidrRanges },
      httpFilters: [extension('filters.http.router', `${filters}.http.router.v3.Router`)],
      routeConfig: { virtualHosts },
    },
  );
  return { name, address: { socketAddress: address }, filterChains: [{ filters: [manager] }] };
}
