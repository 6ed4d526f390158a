import { ApiError, type KubernetesApi } from './kubernetes-api.ts';
import { managerNamespace } from './part-commands.ts';
import type { ManagerName } from './parts.ts';

interface Probe {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly spec: unknown;
}

/** The old version, so that each call passes conversion as well as admission. */
const version = 'v1beta1';
const name = 'readiness-probe';

const probes: Readonly<Record<ManagerName, Probe>> = {
  // Deleting a class has the webhook look for clusters in its cache, which opens a second after the webhook does.
  'capi-core': {
    group: 'cluster.x-k8s.io',
    plural: 'clusterclasses',
    kind: 'ClusterClass',
    spec: {
      controlPlane: { ref: reference('controlplane.cluster.x-k8s.io', 'KubeadmControlPlaneTemplate') },
      infrastructure: { ref: reference('infrastructure.cluster.x-k8s.io', 'OpenStackClusterTemplate') },
    },
  },
  cabpk: {
    group: 'bootstrap.cluster.x-k8s.io',
    plural: 'kubeadmconfigtemplates',
    kind: 'KubeadmConfigTemplate',
    spec: { template: { spec: { preKubeadmCommands: ['true'] } } },
  },
  kcp: {
    group: 'controlplane.cluster.x-k8s.io',
    plural: 'kubeadmcontrolplanetemplates',
    kind: 'KubeadmControlPlaneTemplate',
    spec: { template: { spec: { kubeadmConfigSpec: { preKubeadmCommands: ['true'] } } } },
  },
};

/** Creates and deletes an object that a manager's webhooks judge. @throws while one of them does not answer */
export async function probeWebhooks(api: KubernetesApi, manager: ManagerName): Promise<void> {
  const { group, plural, kind, spec } = probes[manager];
  const path = `/apis/${group}/${version}/namespaces/${managerNamespace}/${plural}`;
  const object = { apiVersion: `${group}/${version}`, kind, metadata: { name }, spec };
  await api.call('POST', path, object).catch(unlessPresent);
  await api.call('DELETE', `${path}/${name}`);
}

function reference(group: string, kind: string) {
  return { apiVersion: `${group}/${version}`, kind, name };
}

/** The deletion of an earlier attempt failed. */
function unlessPresent(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 409)) {
    throw error;
  }
}
