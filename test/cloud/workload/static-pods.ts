import type { KubernetesApi } from '../../env/kubernetes-api.ts';
import { createForNode } from './nodes.ts';

export interface StaticPodHost {
  readonly nodeName: string;
  readonly nodeUid: string;
  /** E.g. `v1.34.1`. */
  readonly kubernetesVersion: string;
}

const components = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const;
const pods = '/api/v1/namespaces/kube-system/pods';

/** Shows a control plane node's static pods, Ready, with the rights that its kubelet has. Drains leave mirror pods alone. */
export async function mirrorStaticPods(kubelet: KubernetesApi, host: StaticPodHost): Promise<void> {
  await Promise.all(
    components.map(async (component) => {
      const pod = mirrorPod(component, host);
      await createForNode(kubelet, pods, pod);
      await kubelet.call('PATCH', `${pods}/${pod.metadata.name}/status`, { status: runningStatus(component, pod) });
    }),
  );
}

function mirrorPod(component: string, { nodeName, nodeUid, kubernetesVersion }: StaticPodHost) {
  const image =
    component === 'etcd' ? 'registry.k8s.io/etcd:3.6.13' : `registry.k8s.io/${component}:${kubernetesVersion}`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${component}-${nodeName}`,
      labels: { component, tier: 'control-plane' },
      annotations: {
        'kubernetes.io/config.mirror': 'static',
        'kubernetes.io/config.hash': 'static',
        'kubernetes.io/config.source': 'file',
      },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: nodeName, uid: nodeUid, controller: true }],
    },
    spec: {
      nodeName,
      hostNetwork: true,
      priorityClassName: 'system-node-critical',
      tolerations: [{ effect: 'NoExecute', operator: 'Exists' }],
      containers: [{ name: component, image }],
    },
  };
}

function runningStatus(component: string, pod: ReturnType<typeof mirrorPod>) {
  const now = new Date();
  const [container] = pod.spec.containers;
  return {
    phase: 'Running',
    startTime: now,
    conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
      type,
      status: 'True',
      lastTransitionTime: now,
    })),
    containerStatuses: [
      {
        name: component,
        image: container?.image,
        imageID: '',
        ready: true,
        started: true,
        restartCount: 0,
        state: { running: { startedAt: now } },
      },
    ],
  };
}
