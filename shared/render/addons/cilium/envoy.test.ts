import type { V1ConfigMap, V1DaemonSet, V1Service } from '@kubernetes/client-node';
import { describe, expect, test } from 'vitest';
import { environmentOf, mountsOf } from '../testing/containers.ts';
import { identities } from '../testing/manifests.ts';
import { hostPathsOf } from '../testing/volumes.ts';
import { renderedCilium, renderedObject, type Situation } from './testing/rendered-cilium.ts';

// Facts: cilium/charts, cilium-1.20.0.tgz, templates/cilium-envoy/*.yaml and files/cilium-envoy/configmap/bootstrap-config.yaml.

const selected = { 'k8s-app': 'cilium-envoy' };
const labels = {
  ...selected,
  'app.kubernetes.io/name': 'cilium-envoy',
  'app.kubernetes.io/part-of': 'cilium',
};

test('is part of v1.20, and inside the agent in v1.15', () => {
  const names = (tag: string) => identities(renderedCilium(tag));
  expect(names('v1.15.3').filter((name) => name.includes('envoy'))).toEqual([]);
  expect(names('v1.20.0').filter((name) => name.includes('envoy'))).toEqual([
    'ServiceAccount kube-system/cilium-envoy',
    'ConfigMap kube-system/cilium-envoy-config',
    'Service kube-system/cilium-envoy',
    'DaemonSet kube-system/cilium-envoy',
  ]);
});

test('shows its metrics', () => {
  const { metadata, spec } = renderedObject<V1Service>('v1.20', ['Service', 'cilium-envoy']);
  expect(metadata).toMatchObject({
    annotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': '9964' },
    labels: { ...labels, 'io.cilium/app': 'proxy' },
  });
  expect(spec).toEqual({
    type: 'ClusterIP',
    clusterIP: 'None',
    selector: selected,
    ports: [{ name: 'envoy-metrics', port: 9964, protocol: 'TCP', targetPort: 9964 }],
  });
});

describe('the DaemonSet of Envoy', () => {
  const { metadata, spec } = renderedObject<V1DaemonSet>('v1.20', ['DaemonSet', 'cilium-envoy']);
  const { containers, volumes, ...pod } = spec!.template.spec!;

  test('runs beside each agent', () => {
    const podLabels = { ...labels, name: 'cilium-envoy' };
    expect(metadata?.labels).toEqual(podLabels);
    expect(spec?.template.metadata).toEqual({ labels: podLabels });
    expect(spec?.selector).toEqual({ matchLabels: selected });
    expect(spec?.updateStrategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } });
    const onNodeWith = (app: string) => ({
      requiredDuringSchedulingIgnoredDuringExecution: [
        { labelSelector: { matchLabels: { 'k8s-app': app } }, topologyKey: 'kubernetes.io/hostname' },
      ],
    });
    const free = { key: 'cilium.io/no-schedule', operator: 'NotIn', values: ['true'] };
    expect(pod).toEqual({
      securityContext: { appArmorProfile: { type: 'Unconfined' } },
      priorityClassName: 'system-node-critical',
      serviceAccountName: 'cilium-envoy',
      automountServiceAccountToken: true,
      terminationGracePeriodSeconds: 1,
      hostNetwork: true,
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [free] }] },
        },
        podAffinity: onNodeWith('cilium'),
        podAntiAffinity: onNodeWith('cilium-envoy'),
      },
      nodeSelector: { 'kubernetes.io/os': 'linux' },
      tolerations: [{ operator: 'Exists' }],
    });
  });

  test('starts Envoy as upstream does', () => {
    expect(containers).toHaveLength(1);
    const { env, volumeMounts, image, ...container } = containers[0]!;
    const httpGet = { host: '127.0.0.1', path: '/healthz', port: 9878 };
    expect(container).toEqual({
      name: 'cilium-envoy',
      command: ['/usr/bin/cilium-envoy-starter'],
      args: ['--', '-c /var/run/cilium/envoy/bootstrap-config.json', '--base-id 0', '--log-level info'],
      ports: [{ name: 'envoy-metrics', containerPort: 9964, hostPort: 9964, protocol: 'TCP' }],
      startupProbe: { httpGet, failureThreshold: 105, periodSeconds: 2, initialDelaySeconds: 5, timeoutSeconds: 5 },
      livenessProbe: { httpGet, failureThreshold: 10, periodSeconds: 30, timeoutSeconds: 5 },
      readinessProbe: { httpGet, failureThreshold: 3, periodSeconds: 30, timeoutSeconds: 5 },
      securityContext: {
        seLinuxOptions: { level: 's0', type: 'spc_t' },
        capabilities: { add: ['NET_ADMIN', 'SYS_ADMIN'], drop: ['ALL'] },
      },
      terminationMessagePolicy: 'FallbackToLogsOnError',
    });
    expect(environmentOf(containers[0]!)).toEqual({
      K8S_NODE_NAME: 'field spec.nodeName',
      CILIUM_K8S_NAMESPACE: 'field metadata.namespace',
    });
  });

  test('mounts what upstream mounts', () => {
    expect(mountsOf(containers[0]!)).toEqual([
      'bpf-maps /sys/fs/bpf HostToContainer',
      'envoy-artifacts /var/run/cilium/envoy/artifacts read-only',
      'envoy-config /var/run/cilium/envoy/ read-only',
      'envoy-sockets /var/run/cilium/envoy/sockets',
    ]);
    expect(hostPathsOf(volumes)).toEqual([
      'bpf-maps /sys/fs/bpf DirectoryOrCreate',
      'envoy-artifacts /var/run/cilium/envoy/artifacts DirectoryOrCreate',
      'envoy-sockets /var/run/cilium/envoy/sockets DirectoryOrCreate',
    ]);
    const items = [{ key: 'bootstrap-config.json', path: 'bootstrap-config.json' }];
    expect(volumes).toContainEqual({
      name: 'envoy-config',
      configMap: { name: 'cilium-envoy-config', defaultMode: 0o400, items },
    });
  });

  test('names its AppArmor profile as older Kubernetes wants it', () => {
    const older = renderedObject<V1DaemonSet>('v1.20', ['DaemonSet', 'cilium-envoy'], { kubernetesVersion: 'v1.29.0' });
    expect(older.spec?.template.metadata?.annotations).toEqual({
      'container.apparmor.security.beta.kubernetes.io/cilium-envoy': 'unconfined',
    });
    expect(older.spec?.template.spec?.securityContext).toEqual({});
  });
});

/** The bootstrap as one line for each value: its path, with names instead of numbers, and the value. */
function bootstrap(situation: Situation = {}): readonly string[] {
  const { data = {} } = renderedObject<V1ConfigMap>('v1.20', ['ConfigMap', 'cilium-envoy-config'], situation);
  expect(Object.keys(data)).toEqual(['bootstrap-config.json']);
  return leaves(JSON.parse(data['bootstrap-config.json'] ?? ''), '').map((line) => line.slice(1));
}

function leaves(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [`${path} = ${value}`];
  const entries = Object.entries(value).filter(([key]) => key !== 'name');
  const shown = 'name' in value && typeof value.name === 'string' ? `${path}<${value.name}>` : path;
  if (entries.length === 0) return [`${shown} = {}`];
  return entries.flatMap(([key, each]) => leaves(each, Array.isArray(value) ? path : `${shown}.${key}`));
}

const google = 'type.googleapis.com';
const sockets = '/var/run/cilium/envoy/sockets';
const clusters = 'staticResources.clusters';

describe('the bootstrap of Envoy', () => {
  test('takes clusters and listeners from the agent', () => {
    expect(bootstrap()).toEqual(
      expect.arrayContaining([
        'admin.address.pipe.mode = 432',
        `admin.address.pipe.path = ${sockets}/admin.sock`,
        'applicationLogConfig.logFormat.textFormat = [%Y-%m-%d %T.%e][%t][%l][%n] [%g:%#] %v',
        `bootstrapExtensions<envoy.bootstrap.internal_listener>.typedConfig.@type = ${google}/envoy.extensions.bootstrap.internal_listener.v3.InternalListener`,
        'dynamicResources.adsConfig.apiType = GRPC',
        'dynamicResources.adsConfig.grpcServices.envoyGrpc.clusterName = xds-grpc-cilium',
        'dynamicResources.adsConfig.setNodeOnFirstMessageOnly = true',
        'dynamicResources.adsConfig.transportApiVersion = V3',
        ...['cdsConfig', 'ldsConfig'].flatMap((config) => [
          `dynamicResources.${config}.ads = {}`,
          `dynamicResources.${config}.initialFetchTimeout = 30s`,
          `dynamicResources.${config}.resourceApiVersion = V3`,
        ]),
        'node.cluster = ingress-cluster',
        'node.id = host~127.0.0.1~no-id~localdomain',
        'overloadManager.resourceMonitors<envoy.resource_monitors.global_downstream_max_connections>.typedConfig.max_active_downstream_connections = 50000',
        `${clusters}<xds-grpc-cilium>.loadAssignment.endpoints.lbEndpoints.endpoint.address.pipe.path = ${sockets}/xds.sock`,
        `${clusters}</envoy-admin>.loadAssignment.endpoints.lbEndpoints.endpoint.address.pipe.path = ${sockets}/admin.sock`,
      ]),
    );
  });

  test('sends requests on to where they were meant for', () => {
    const type = 'envoy.extensions.upstreams.http.v3.HttpProtocolOptions';
    for (const name of ['ingress-cluster', 'ingress-cluster-tls', 'egress-cluster', 'egress-cluster-tls']) {
      const cluster = `${clusters}<${name}>`;
      const options = `${cluster}.typedExtensionProtocolOptions.${type}`;
      const tls = [
        `${options}.upstreamHttpProtocolOptions = {}`,
        `${cluster}.transportSocket<cilium.tls_wrapper>.typedConfig.@type = ${google}/cilium.UpstreamTlsWrapperContext`,
      ];
      const lines = bootstrap().filter((line) => line.startsWith(`${cluster}.`));
      expect(lines.toSorted()).toEqual(
        [
          `${cluster}.type = ORIGINAL_DST`,
          `${cluster}.lbPolicy = CLUSTER_PROVIDED`,
          `${cluster}.connectTimeout = 2s`,
          `${cluster}.cleanupInterval = 2.500s`,
          `${cluster}.circuitBreakers.thresholds.maxConnections = 1024`,
          `${cluster}.circuitBreakers.thresholds.maxRequests = 1024`,
          `${cluster}.circuitBreakers.thresholds.maxRetries = 128`,
          `${options}.@type = ${google}/${type}`,
          `${options}.commonHttpProtocolOptions.idleTimeout = 60s`,
          `${options}.commonHttpProtocolOptions.maxConnectionDuration = 0s`,
          `${options}.commonHttpProtocolOptions.maxRequestsPerConnection = 0`,
          `${options}.useDownstreamProtocolConfig = {}`,
          ...(name.endsWith('-tls') ? tls : []),
        ].toSorted(),
      );
    }
  });

  const ipv4Ranges = ['10.0.0.0', 8, '172.16.0.0', 12, '192.168.0.0', 16, '127.0.0.1', 32];

  test.each([
    ['10.100.0.0/16', '0.0.0.0', '127.0.0.1', ipv4Ranges],
    ['fd00:100::/56', '::', '::1', ['::1', 128]],
  ])('for pods in %s, listens for scrapes on %s and for probes on %s', (podCidr, metrics, health, ranges) => {
    const value = (line: string) => line.split(' = ')[1];
    const lines = bootstrap({ podCidr }).filter((line) => line.startsWith('staticResources.listeners'));
    for (const [name, address, port, path, adminPath] of [
      ['envoy-prometheus-metrics-listener', metrics, '9964', '/metrics', '/stats/prometheus'],
      ['envoy-health-listener', health, '9878', '/healthz', '/ready'],
    ] as const) {
      const own = lines.filter((line) => line.startsWith(`staticResources.listeners<${name}>`));
      const of = (key: string) => own.filter((line) => line.includes(`.${key} = `)).map(value);
      expect([of('address'), of('portValue')]).toEqual([[address], [port]]);
      expect([of('prefix'), of('prefixRewrite'), of('cluster')]).toEqual([[path], [adminPath], ['/envoy-admin']]);
      expect(of('streamIdleTimeout')).toEqual(['300s']);
      expect(own.filter((line) => line.includes('cidrRanges')).map(value)).toEqual(ranges.map(String));
    }
  });
});
