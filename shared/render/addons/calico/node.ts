import type { V1Container, V1EnvVar, V1PodSpec, V1Probe } from '@kubernetes/client-node';
import type { Wire } from '../../../kubernetes/kubernetes-object.ts';
import { daemonSet, type Manifest } from '../manifest.ts';
import { configName } from './calico-config.ts';
import { mountedAt, nodeVolumes } from './node-volumes.ts';
import { type PodNetwork, podNetwork } from './pod-network.ts';
import { type CalicoLine, lineFacts } from './releases.ts';

export interface NodeInput {
  readonly line: CalicoLine;
  readonly podCidr: string;
  /** Reference of `calico/node`. */
  readonly nodeImage: string;
  /** Reference of `calico/cni`. */
  readonly cniImage: string;
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

function pod({ line, podCidr, nodeImage, cniImage }: NodeInput): Wire<V1PodSpec> {
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
    initContainers: [upgradeIpam(cniImage), installCni(cniImage), ebpfBootstrap(nodeImage)],
    containers: [agent(nodeImage, podNetwork(podCidr), readsKernelLockdown)],
    volumes: nodeVolumes(readsKernelLockdown),
  };
}

type Settings = Omit<Wire<V1Container>, 'name' | 'image'>;

function container(identity: Pick<V1Container, 'name'> & { readonly image: string }, settings: Settings) {
  return { ...identity, imagePullPolicy: 'IfNotPresent', securityContext: { privileged: true }, ...settings };
}

/** Addresses of the API server that an operator may give, where no Service leads to it. */
const envFrom = [{ configMapRef: { name: 'kubernetes-services-endpoint', optional: true } }];

function upgradeIpam(image: string): Wire<V1Container> {
  return container(
    { name: 'upgrade-ipam', image },
    {
      command: ['/opt/cni/bin/calico-ipam', '-upgrade'],
      envFrom,
      env: [ofNode('KUBERNETES_NODE_NAME'), ofConfig('CALICO_NETWORKING_BACKEND', 'calico_backend')],
      volumeMounts: [
        mountedAt('/var/lib/cni/networks', 'host-local-net-dir'),
        mountedAt('/host/opt/cni/bin', 'cni-bin-dir'),
      ],
    },
  );
}

function installCni(image: string): Wire<V1Container> {
  return container(
    { name: 'install-cni', image },
    {
      command: ['/opt/cni/bin/install'],
      envFrom,
      env: [
        { name: 'CNI_CONF_NAME', value: '10-calico.conflist' },
        ofConfig('CNI_NETWORK_CONFIG', 'cni_network_config'),
        ofNode('KUBERNETES_NODE_NAME'),
        ofConfig('CNI_MTU', 'veth_mtu'),
        { name: 'SLEEP', value: 'false' },
      ],
      volumeMounts: [mountedAt('/host/opt/cni/bin', 'cni-bin-dir'), mountedAt('/host/etc/cni/net.d', 'cni-net-dir')],
    },
  );
}

/** Mounts what the eBPF dataplane would need; without it the node works all the same. */
function ebpfBootstrap(image: string): Wire<V1Container> {
  return container(
    { name: 'ebpf-bootstrap', image },
    {
      command: ['calico-node', '-init', '-best-effort'],
      volumeMounts: [
        { ...mountedAt('/sys/fs', 'sys-fs'), mountPropagation: 'Bidirectional' },
        { ...mountedAt('/var/run/calico', 'var-run-calico'), mountPropagation: 'Bidirectional' },
        { ...mountedAt('/nodeproc', 'nodeproc'), readOnly: true },
      ],
    },
  );
}

function agent(image: string, network: PodNetwork, readsKernelLockdown: boolean): Wire<V1Container> {
  const { routing } = network;
  const lockdown = { ...mountedAt('/sys/kernel/security', 'sys-kernel-security'), readOnly: true };
  return container(
    { name, image },
    {
      envFrom,
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

function ofNode(variable: string): V1EnvVar {
  return { name: variable, valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } };
}

function ofConfig(variable: string, key: string): V1EnvVar {
  return { name: variable, valueFrom: { configMapKeyRef: { name: configName, key } } };
}
