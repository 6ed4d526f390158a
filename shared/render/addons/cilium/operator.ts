import type { V1Container, V1ContainerPort, V1PodSpec, V1Probe } from '@kubernetes/client-node';
import type { Wire } from '../../../kubernetes/kubernetes-object.ts';
import { deployment, type Manifest } from '../manifest.ts';
import { configVariable, hostPort, logsOnError, nodeVariables } from './container-parts.ts';
import type { Installation } from './installation.ts';
import { configName, ports } from './names.ts';
import { everywhere, onLinux, onNodeWith } from './node-pod.ts';
import { partLabels } from './part-labels.ts';
import type { CiliumLine } from './releases.ts';
import { noRights, runtimeSeccomp } from './security.ts';

const selector = { 'io.cilium/app': 'operator', name: 'cilium-operator' };
const labels = partLabels('cilium-operator', selector);

/** Cilium's operator: registers the custom resource definitions and gives the nodes their pod networks. */
export function operator(installation: Installation): Manifest {
  const annotations = { 'prometheus.io/port': String(ports.operatorMetrics), 'prometheus.io/scrape': 'true' };
  return deployment(
    { name: 'cilium-operator', labels },
    {
      replicas: 2,
      selector: { matchLabels: selector },
      // Both replicas hold ports of their nodes: a third one may find no node.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '50%' } },
      template: { metadata: { labels, annotations }, spec: podSpec(installation) },
    },
  );
}

function podSpec(installation: Installation): Wire<V1PodSpec> {
  const { tolerations, securityContext } = differences[installation.line];
  return {
    securityContext,
    containers: [container(installation)],
    hostNetwork: true,
    priorityClassName: 'system-cluster-critical',
    serviceAccountName: 'cilium-operator',
    automountServiceAccountToken: true,
    affinity: { podAntiAffinity: onNodeWith({ 'io.cilium/app': 'operator' }) },
    nodeSelector: onLinux,
    tolerations,
    volumes: [{ name: 'cilium-config-path', configMap: { name: configName } }],
  };
}

function container({ line, images, loopback }: Installation): Wire<V1Container> {
  const httpGet = { host: loopback, path: '/healthz', port: ports.operatorHealth };
  const probe = (more: Wire<V1Probe>): Wire<V1Probe> => ({ httpGet, timeoutSeconds: 3, ...more });
  const { containerPorts, containerSecurity } = differences[line];
  return {
    name: 'cilium-operator',
    image: images.operator,
    command: ['cilium-operator-generic'],
    args: ['--config-dir=/tmp/cilium/config-map', '--debug=$(CILIUM_DEBUG)'],
    env: [...nodeVariables, configVariable('CILIUM_DEBUG', 'debug')],
    ports: [...containerPorts, hostPort('prometheus', ports.operatorMetrics)],
    livenessProbe: probe({ initialDelaySeconds: 60, periodSeconds: 10 }),
    readinessProbe: probe({ periodSeconds: 5, failureThreshold: 5 }),
    securityContext: containerSecurity,
    ...logsOnError,
    volumeMounts: [{ name: 'cilium-config-path', mountPath: '/tmp/cilium/config-map', readOnly: true }],
  };
}

interface OperatorDifferences {
  readonly containerPorts: readonly Wire<V1ContainerPort>[];
  readonly containerSecurity: NonNullable<Wire<V1Container>['securityContext']>;
  readonly securityContext: NonNullable<Wire<V1PodSpec>['securityContext']>;
  readonly tolerations: NonNullable<Wire<V1PodSpec>['tolerations']>;
}

const differences: Readonly<Record<CiliumLine, OperatorDifferences>> = {
  'v1.15': { containerPorts: [], containerSecurity: {}, securityContext: {}, tolerations: everywhere },
  'v1.20': {
    containerPorts: [hostPort('health', ports.operatorHealth)],
    containerSecurity: noRights,
    securityContext: runtimeSeccomp,
    // New nodes keep these taints until the operator, the agent or the cloud controller manager has been there.
    tolerations: [
      'node-role.kubernetes.io/control-plane',
      'node-role.kubernetes.io/master',
      'node.kubernetes.io/not-ready',
      'node.cloudprovider.kubernetes.io/uninitialized',
      'node.cilium.io/agent-not-ready',
    ].map((key) => ({ key, operator: 'Exists' })),
  },
};
