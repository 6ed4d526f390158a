import type { V1Container, V1EnvVar, V1PodTemplateSpec, V1Probe } from '@kubernetes/client-node';
import type { Wire } from '../../../kubernetes/kubernetes-object.ts';
import { daemonSet, type Manifest } from '../manifest.ts';
import { agentInitContainers } from './agent-init-containers.ts';
import { agentMounts, agentVolumes } from './agent-volumes.ts';
import { hostPort, logsOnError, nodeVariables } from './container-parts.ts';
import type { Installation } from './installation.ts';
import { ports } from './names.ts';
import { agentSelector, nodePod, nodePodUpdate, onNodeWith } from './node-pod.ts';
import { partLabels } from './part-labels.ts';
import type { CiliumLine } from './releases.ts';
import { hostSecurity, withoutAppArmor } from './security.ts';

const labels = partLabels('cilium-agent', agentSelector);

/** Cilium's agent on every node. */
export function agent(installation: Installation): Manifest {
  return daemonSet(
    { name: 'cilium', labels },
    {
      selector: { matchLabels: agentSelector },
      updateStrategy: nodePodUpdate,
      template: podTemplate(installation),
    },
  );
}

const unconfined = ['cilium-agent', 'clean-cilium-state', 'mount-cgroup', 'apply-sysctl-overwrites'];

function podTemplate(installation: Installation): Wire<V1PodTemplateSpec> {
  const { line, kubernetesMinor } = installation;
  const { metadata, securityContext } = withoutAppArmor(kubernetesMinor, unconfined);
  const annotations = { 'kubectl.kubernetes.io/default-container': 'cilium-agent', ...metadata.annotations };
  return {
    metadata: { labels, annotations },
    spec: {
      ...nodePod,
      securityContext: { ...securityContext, ...(line === 'v1.15' ? {} : { seccompProfile: { type: 'Unconfined' } }) },
      initContainers: agentInitContainers(installation),
      containers: [container(installation)],
      serviceAccountName: 'cilium',
      affinity: { podAntiAffinity: onNodeWith(agentSelector) },
      volumes: agentVolumes(line),
    },
  };
}

function container(installation: Installation): Wire<V1Container> {
  const { line, images } = installation;
  const { variables, capabilities, ports: nodePorts } = differences[line];
  return {
    name: 'cilium-agent',
    image: images.agent,
    command: ['cilium-agent'],
    args: ['--config-dir=/tmp/cilium/config-map'],
    env: [...nodeVariables, ...baseVariables, ...variables],
    ...nodePorts,
    ...probes(installation),
    lifecycle: { preStop: { exec: { command: ['/cni-uninstall.sh'] } } },
    securityContext: hostSecurity(...baseCapabilities, ...capabilities),
    ...logsOnError,
    volumeMounts: agentMounts(line),
  };
}

function probes({
  line,
  loopback,
}: Installation): Record<'startupProbe' | 'livenessProbe' | 'readinessProbe', Wire<V1Probe>> {
  const probe = (failureThreshold: number, more: Wire<V1Probe>, headers: readonly string[] = []): Wire<V1Probe> => {
    const httpHeaders = [{ name: 'brief', value: 'true' }, ...headers.map((name) => ({ name, value: 'false' }))];
    const httpGet = { host: loopback, path: '/healthz', port: ports.agentHealth, httpHeaders };
    return { httpGet, failureThreshold, ...more };
  };
  const regularly = { periodSeconds: 30, timeoutSeconds: 5 };
  const { startFailures, livenessHeaders } = differences[line];
  return {
    startupProbe: probe(startFailures, { periodSeconds: 2, initialDelaySeconds: 5 }),
    livenessProbe: probe(10, regularly, livenessHeaders),
    readinessProbe: probe(3, regularly),
  };
}

const baseVariables: readonly Wire<V1EnvVar>[] = [
  { name: 'CILIUM_CLUSTERMESH_CONFIG', value: '/var/lib/cilium/clustermesh/' },
  { name: 'GOMEMLIMIT', valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor: '1' } } },
];

const baseCapabilities = [
  'CHOWN',
  'KILL',
  'NET_ADMIN',
  'NET_RAW',
  'IPC_LOCK',
  'SYS_MODULE',
  'SYS_ADMIN',
  'SYS_RESOURCE',
  'DAC_OVERRIDE',
  'FOWNER',
  'SETGID',
  'SETUID',
];

interface AgentDifferences {
  readonly variables: readonly Wire<V1EnvVar>[];
  readonly capabilities: readonly string[];
  readonly ports: Pick<Wire<V1Container>, 'ports'>;
  /** How often, every two seconds, the agent may not answer at its start. */
  readonly startFailures: number;
  /** Headers that are sent with the value `false`: an API server out of reach is no reason to restart agents. */
  readonly livenessHeaders: readonly string[];
}

const differences: Readonly<Record<CiliumLine, AgentDifferences>> = {
  'v1.15': { variables: [], capabilities: [], ports: {}, startFailures: 105, livenessHeaders: [] },
  'v1.20': {
    variables: [
      { name: 'KUBE_CLIENT_BACKOFF_BASE', value: '1' },
      { name: 'KUBE_CLIENT_BACKOFF_DURATION', value: '120' },
    ],
    capabilities: ['SYSLOG'],
    ports: { ports: [hostPort('health', ports.agentHealth), hostPort('peer-service', ports.hubblePeer)] },
    startFailures: 300,
    livenessHeaders: ['require-k8s-connectivity'],
  },
};
