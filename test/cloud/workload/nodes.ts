import * as z from 'zod';
import { ApiError, type KubernetesApi } from '../../env/kubernetes-api.ts';
import { waitFor } from '../../env/wait-for.ts';
import type { Taint } from './kubeadm-run.ts';

/** A Node as its kubelet registers it. */
export interface NodeFacts {
  readonly name: string;
  readonly providerId: string;
  /** The InternalIP that users see. */
  readonly address: string;
  /** E.g. `v1.34.1`. */
  readonly kubernetesVersion: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  /** Port of its kubelet on this machine. */
  readonly kubeletPort: number;
}

const identified = z.object({ metadata: z.object({ uid: z.string() }) });
const tainted = z.object({
  spec: z.object({ taints: z.array(z.looseObject({ key: z.string() })).default([]) }),
});
const nodePods = z.object({
  items: z.array(z.object({ metadata: z.object({ name: z.string(), namespace: z.string() }) })),
});

const nodes = '/api/v1/nodes';
const unreachable = 'node.kubernetes.io/unreachable';

/** How long a call may be refused because the API server has not noticed the Node itself yet. */
const registrationTimeout = 20_000;
const retryInterval = 500;

/**
 * Registers a Node, Ready, with the rights that a kubelet has: labels that it may not set are refused.
 * @param kubelet Connection with the node's own certificate.
 * @returns its uid.
 */
export async function registerNode(kubelet: KubernetesApi, node: NodeFacts): Promise<string> {
  const { name, providerId, labels, taints } = node;
  const defaults = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' };
  const metadata = { name, labels: { ...defaults, ...labels } };
  const body = { metadata, spec: { providerID: providerId, taints }, status: nodeStatus(node) };
  await unlessPresent(kubelet.call('POST', nodes, { apiVersion: 'v1', kind: 'Node', ...body }));
  return identified.parse(await kubelet.call('GET', `${nodes}/${name}`)).metadata.uid;
}

/** What kubeadm marks a control plane node with, as an administrator. */
export async function markControlPlane(api: KubernetesApi, name: string): Promise<void> {
  const labels = {
    'node-role.kubernetes.io/control-plane': '',
    'node.kubernetes.io/exclude-from-external-load-balancers': '',
  };
  await api.call('PATCH', `${nodes}/${name}`, { metadata: { labels } });
}

/** What the node lifecycle controller says of a Node whose kubelet is silent, if there is a Node. */
export async function markUnreachable(api: KubernetesApi, name: string): Promise<void> {
  await unlessAbsent(loseNode(api, name));
}

/** What kubelet and node lifecycle controller say of a Node that is back. */
export async function markReady(api: KubernetesApi, name: string): Promise<void> {
  await api.call('PATCH', `${nodes}/${name}/status`, { status: { conditions: readyConditions() } });
  await patchTaints(api, name, []);
}

async function loseNode(api: KubernetesApi, name: string): Promise<void> {
  const lost = { status: 'Unknown', reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' };
  const effects = ['NoSchedule', 'NoExecute'];
  await patchTaints(
    api,
    name,
    effects.map((effect) => ({ key: unreachable, effect, timeAdded: new Date() })),
  );
  const conditions = conditionTypes.map(([type]) => ({ type, ...lost, ...times() }));
  await api.call('PATCH', `${nodes}/${name}/status`, { status: { conditions } });
}

/** Removes a Node, if it is there, and its pods, as cloud controller manager and pod garbage collection do. */
export async function removeNode(api: KubernetesApi, name: string): Promise<void> {
  await unlessAbsent(api.call('DELETE', `${nodes}/${name}`));
  const found = await api.call('GET', `/api/v1/pods?fieldSelector=${encodeURIComponent(`spec.nodeName=${name}`)}`);
  for (const { metadata } of nodePods.parse(found).items) {
    await endPod(api, metadata);
  }
}

/** Ends a pod at once, as a kubelet does when its containers have ended. */
export async function endPod(
  api: KubernetesApi,
  pod: { readonly name: string; readonly namespace: string },
): Promise<void> {
  await unlessAbsent(
    api.call('DELETE', `/api/v1/namespaces/${pod.namespace}/pods/${pod.name}`, { gracePeriodSeconds: 0 }),
  );
}

/** Creates an object, unless it is there; repeats what is refused only because the Node is too new. */
export async function createForNode(kubelet: KubernetesApi, path: string, body: unknown): Promise<void> {
  const what = `${path} to take an object of a new Node`;
  await waitFor(() => unlessPresent(kubelet.call('POST', path, body)), {
    what,
    timeout: registrationTimeout,
    interval: retryInterval,
  });
}

export async function unlessPresent(created: Promise<unknown>): Promise<void> {
  await created.catch(unlessStatus(409));
}

async function unlessAbsent(deleted: Promise<unknown>): Promise<void> {
  await deleted.catch(unlessStatus(404));
}

function unlessStatus(status: number): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof ApiError && error.status === status)) {
      throw error;
    }
  };
}

async function patchTaints(api: KubernetesApi, name: string, ofReachability: readonly unknown[]): Promise<void> {
  const { spec } = tainted.parse(await api.call('GET', `${nodes}/${name}`));
  const others = spec.taints.filter(({ key }) => key !== unreachable);
  await api.call('PATCH', `${nodes}/${name}`, { spec: { taints: [...others, ...ofReachability] } });
}

const conditionTypes = [
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
] as const;

function readyConditions() {
  return conditionTypes.map(([type, status, reason, message]) => ({ type, status, reason, message, ...times() }));
}

function times() {
  const now = new Date();
  return { lastHeartbeatTime: now, lastTransitionTime: now };
}

function nodeStatus({ name, address, kubernetesVersion, kubeletPort }: NodeFacts) {
  const resources = { cpu: '2', memory: '4Gi', pods: '110', 'ephemeral-storage': '20Gi' };
  return {
    capacity: resources,
    allocatable: resources,
    conditions: readyConditions(),
    addresses: [
      { type: 'InternalIP', address },
      { type: 'Hostname', address: name },
      { type: 'InternalDNS', address: 'localhost' },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: kubeletPort } },
    nodeInfo: {
      kubeletVersion: kubernetesVersion,
      kubeProxyVersion: '',
      containerRuntimeVersion: 'containerd://2.0.0',
      operatingSystem: 'linux',
      architecture: 'amd64',
      osImage: 'simulated',
      kernelVersion: '6.8.0',
      machineID: name,
      systemUUID: name,
      bootID: name,
    },
  };
}
