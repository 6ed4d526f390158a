import type { V1Container, V1EnvVar, V1PodSpec, V1Probe } from '@kubernetes/client-node';
import type { Wire } from '../../../kubernetes/kubernetes-object.ts';
import { daemonSet, type Manifest } from '../manifest.ts';
import { initContainers, type NodeImages } from './init-containers.ts';
import { nodeContainer, ofConfig, ofNode, serviceEndpoint } from './node-container.ts';
import { mountedAt, nodeVolumes } from './node-volumes.ts';
import { type PodNetwork, podNetwork } from './pod-network.ts';
import { type CalicoLine, lineFacts } from './releases.ts';

export interface NodeInput extends NodeImages {
  readonly line: CalicoLine;
  readonly podCidr: string;
}

const name = 'calico-node';
const labels = { 'k8s-app': name };

/** The agent on every node: installs the CNI plugin, programs routes and policies, and speaks BGP with the others. */
export function calicoNode(input: NodeInput): Manifest {
  return daemonSet(
    { name, labels },
    {
      selector: { matchLabels: labels },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      template: { metadata: { labels }, spec: pod(input) },
    },
  );
}

function pod(input: NodeInput): Wire<V1PodSpec> {
  const { line, podCidr, nodeImage } = input;
  const { readsKernelLockdown } = lineFacts[line];
  return {
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    hostNetwork: true,
    tolerations: [
      { operator: 'Exists', effect: 'NoSchedule' },
      { key: 'CriticalAddonsOnly', operator: 'Exists' },
      { operator: 'Exists', effect: 'NoExecute' },
    ],
    serviceAccountName: name,
    securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
    // The pods' traffic goes on without it, so that nothing has to be waited for.
    terminationGracePeriodSeconds: 0,
    priorityClassName: 'system-node-critical',
    initContainers: initContainers(input),
    containers: [agent(nodeImage, podNetwork(podCidr), readsKernelLockdown)],
    volumes: nodeVolumes(readsKernelLockdown),
  };
}

function agent(image: string, network: PodNetwork, readsKernelLockdown: boolean): Wire<V1Container> {
  const { routing } = network;
  const lockdown = { ...mountedAt('/sys/kernel/security', 'sys-kernel-security'), readOnly: true };
  return nodeContainer(
    { name, image },
    {
      envFrom: serviceEndpoint,
      env: environment(network),
      resources: { requests: { cpu: '250m' } },
      lifecycle: { preStop: { exec: { command: ['/bin/calico-node', '-shutdown'] } } },
      livenessProbe: { ...probe('-felix-live', `-${routing}-live`), initialDelaySeconds: 10, failureThreshold: 6 },
      readinessProbe: probe('-felix-ready', `-${routing}-ready`),
      volumeMounts: [
        mountedAt('/host/etc/cni/net.d', 'cni-net-dir'),
        { ...mountedAt('/lib/modules', 'lib-modules'), readOnly: true },
        mountedAt('/run/xtables.lock', 'xtables-lock'),
        mountedAt('/var/run/calico', 'var-run-calico'),
        mountedAt('/var/lib/calico', 'var-lib-calico'),
        mountedAt('/var/run/nodeagent', 'policysync'),
        mountedAt('/sys/fs/bpf', 'bpffs'),
        ...(readsKernelLockdown ? [lockdown] : []),
        { ...mountedAt('/var/log/calico/cni', 'cni-log-dir'), readOnly: true },
      ],
    },
  );
}

function probe(...flags: string[]): Wire<V1Probe> {
  return { exec: { command: ['/bin/calico-node', ...flags] }, periodSeconds: 10, timeoutSeconds: 10 };
}

function environment(network: PodNetwork): V1EnvVar[] {
  const values = {
    DATASTORE_TYPE: 'kubernetes',
    WAIT_FOR_DATASTORE: 'true',
    CLUSTER_TYPE: 'k8s,bgp',
    ...network.environment,
    CALICO_DISABLE_FILE_LOGGING: 'true',
    FELIX_DEFAULTENDPOINTTOHOSTACTION: 'ACCEPT',
    FELIX_HEALTHENABLED: 'true',
  };
  return [
    ...Object.entries(values).map(([variable, value]) => ({ name: variable, value })),
    ofNode('NODENAME'),
    ofConfig('CALICO_NETWORKING_BACKEND', 'calico_backend'),
    ...['IPINIP', 'VXLAN', 'WIREGUARD'].map((tunnel) => ofConfig(`FELIX_${tunnel}MTU`, 'veth_mtu')),
  ];
}
