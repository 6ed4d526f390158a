import type { V1Affinity, V1Container, V1PodSpec, V1Volume } from '@kubernetes/client-node';
import type { Wire } from '../../../kubernetes/kubernetes-object.ts';
import { configMap, daemonSet, type Manifest, service, serviceAccount } from '../manifest.ts';
import { hostPort, logsOnError, nodeVariables } from './container-parts.ts';
import { envoyBootstrap } from './envoy-bootstrap.ts';
import type { Installation } from './installation.ts';
import { directories, ports } from './names.ts';
import { agentSelector, nodePod, nodePodUpdate, onNodeWith } from './node-pod.ts';
import { partLabels } from './part-labels.ts';
import { hostSecurity, withoutAppArmor } from './security.ts';
import { hostVolume } from './volumes.ts';

const name = 'cilium-envoy';
const selector = { 'k8s-app': name };
const labels = partLabels(name, selector);
const podLabels = { ...labels, name };
const bootstrapFile = 'bootstrap-config.json';
const directory = `${directories.state}/envoy`;

/** Envoy on every node, beside the agent; nothing where the agent has its own. */
export function envoy(installation: Installation): readonly Manifest[] {
  const { images } = installation;
  if (images.envoy === null) return [];
  return [
    serviceAccount({ name }),
    configMap({ name: `${name}-config` }, { [bootstrapFile]: envoyBootstrap(installation) }),
    metricsService(),
    workload(installation, images.envoy),
  ];
}

function metricsService(): Manifest {
  const port = ports.envoyMetrics;
  const annotations = { 'prometheus.io/scrape': 'true', 'prometheus.io/port': String(port) };
  return service(
    { name, annotations, labels: { ...labels, 'io.cilium/app': 'proxy' } },
    {
      type: 'ClusterIP',
      clusterIP: 'None',
      selector,
      ports: [{ name: 'envoy-metrics', port, protocol: 'TCP', targetPort: port }],
    },
  );
}

function workload(installation: Installation, image: string): Manifest {
  const { metadata, securityContext } = withoutAppArmor(installation.kubernetesMinor, [name]);
  return daemonSet(
    { name, labels: podLabels },
    {
      selector: { matchLabels: selector },
      updateStrategy: nodePodUpdate,
      template: {
        metadata: { ...metadata, labels: podLabels },
        spec: { ...podSpec, securityContext, containers: [container(installation, image)] },
      },
    },
  );
}

/** On each node with an agent, but for those that are kept free of it. */
const affinity: Wire<V1Affinity> = {
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [
        { matchExpressions: [{ key: 'cilium.io/no-schedule', operator: 'NotIn', values: ['true'] }] },
      ],
    },
  },
  podAffinity: onNodeWith(agentSelector),
  podAntiAffinity: onNodeWith(selector),
};

const volumes: Wire<V1Volume>[] = [
  hostVolume('envoy-sockets', directories.envoySockets),
  hostVolume('envoy-artifacts', `${directory}/artifacts`),
  {
    name: 'envoy-config',
    configMap: { name: `${name}-config`, defaultMode: 0o400, items: [{ key: bootstrapFile, path: bootstrapFile }] },
  },
  hostVolume('bpf-maps', directories.bpf),
];

const podSpec: Omit<Wire<V1PodSpec>, 'containers'> = {
  ...nodePod,
  serviceAccountName: name,
  affinity,
  volumes,
};

function container({ loopback }: Installation, image: string): Wire<V1Container> {
  const httpGet = { host: loopback, path: '/healthz', port: ports.envoyHealth };
  const probe = { httpGet, periodSeconds: 30, timeoutSeconds: 5 };
  return {
    name,
    image,
    command: ['/usr/bin/cilium-envoy-starter'],
    args: ['--', `-c ${directory}/${bootstrapFile}`, '--base-id 0', '--log-level info'],
    env: [...nodeVariables],
    ports: [hostPort('envoy-metrics', ports.envoyMetrics)],
    startupProbe: { ...probe, failureThreshold: 105, periodSeconds: 2, initialDelaySeconds: 5 },
    livenessProbe: { ...probe, failureThreshold: 10 },
    readinessProbe: { ...probe, failureThreshold: 3 },
    securityContext: hostSecurity('NET_ADMIN', 'SYS_ADMIN'),
    ...logsOnError,
    volumeMounts: [
      { name: 'envoy-sockets', mountPath: directories.envoySockets },
      { name: 'envoy-artifacts', mountPath: `${directory}/artifacts`, readOnly: true },
      { name: 'envoy-config', mountPath: `${directory}/`, readOnly: true },
      { name: 'bpf-maps', mountPath: directories.bpf, mountPropagation: 'HostToContainer' },
    ],
  };
}
