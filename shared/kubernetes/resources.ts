import type {
  CoreV1Event,
  V1ConfigMap,
  V1DaemonSet,
  V1Deployment,
  V1Lease,
  V1Secret,
  V1StatefulSet,
  V1SubjectAccessReview,
  V1TokenReview,
} from '@kubernetes/client-node';
import type { CustomObject, KubernetesObject, Wire } from './kubernetes-object.ts';

/** A kind of object and where the API server serves it. */
export interface ResourceType<T extends KubernetesObject = CustomObject> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** The objects carry secrets, so an error repeats nothing of what the API server says about their content. */
  readonly confidential?: boolean;
  /** For the compiler only, never set: the type of the objects. */
  readonly shape?: T;
}

/** What Cluster API ≥ 1.11 stores; v1beta1 stops being served in 1.16. */
const clusterApi = 'cluster.x-k8s.io/v1beta2';
/** What CAPO 0.12–0.14 stores; 0.15 serves it too. */
const openStack = 'infrastructure.cluster.x-k8s.io/v1beta1';
/** OpenStackServer has no other version yet. */
const openStackServer = 'infrastructure.cluster.x-k8s.io/v1alpha1';

/** Every kind that the driver reads or writes: the one place that names API versions (design §5). */
export const resources = {
  cluster: namespaced(clusterApi, 'Cluster'),
  clusterClass: namespaced(clusterApi, 'ClusterClass', 'clusterclasses'),
  machineDeployment: namespaced(clusterApi, 'MachineDeployment'),
  machineSet: namespaced(clusterApi, 'MachineSet'),
  machine: namespaced(clusterApi, 'Machine'),
  kubeadmControlPlane: namespaced(`controlplane.${clusterApi}`, 'KubeadmControlPlane'),
  kubeadmControlPlaneTemplate: namespaced(`controlplane.${clusterApi}`, 'KubeadmControlPlaneTemplate'),
  kubeadmConfigTemplate: namespaced(`bootstrap.${clusterApi}`, 'KubeadmConfigTemplate'),
  clusterResourceSet: namespaced(`addons.${clusterApi}`, 'ClusterResourceSet'),
  clusterResourceSetBinding: namespaced(`addons.${clusterApi}`, 'ClusterResourceSetBinding'),
  openStackCluster: namespaced(openStack, 'OpenStackCluster'),
  openStackClusterTemplate: namespaced(openStack, 'OpenStackClusterTemplate'),
  openStackMachine: namespaced(openStack, 'OpenStackMachine'),
  openStackMachineTemplate: namespaced(openStack, 'OpenStackMachineTemplate'),
  openStackServer: namespaced(openStackServer, 'OpenStackServer'),
  secret: { ...namespaced<Wire<V1Secret>>('v1', 'Secret'), confidential: true },
  configMap: namespaced<Wire<V1ConfigMap>>('v1', 'ConfigMap'),
  event: namespaced<Wire<CoreV1Event>>('v1', 'Event'),
  deployment: namespaced<Wire<V1Deployment>>('apps/v1', 'Deployment'),
  daemonSet: namespaced<Wire<V1DaemonSet>>('apps/v1', 'DaemonSet'),
  statefulSet: namespaced<Wire<V1StatefulSet>>('apps/v1', 'StatefulSet'),
  service: namespaced('v1', 'Service'),
  serviceAccount: namespaced('v1', 'ServiceAccount'),
  podDisruptionBudget: namespaced('policy/v1', 'PodDisruptionBudget'),
  role: namespaced('rbac.authorization.k8s.io/v1', 'Role'),
  roleBinding: namespaced('rbac.authorization.k8s.io/v1', 'RoleBinding'),
  lease: namespaced<Wire<V1Lease>>('coordination.k8s.io/v1', 'Lease'),
  /** Carries the bearer token of a caller. */
  tokenReview: { ...clusterScoped<Wire<V1TokenReview>>('authentication.k8s.io/v1', 'TokenReview'), confidential: true },
  subjectAccessReview: clusterScoped<Wire<V1SubjectAccessReview>>('authorization.k8s.io/v1', 'SubjectAccessReview'),
} as const;

/** The kind of an object that was rendered. @throws Error for one that is not among `resources`, which is a defect */
export function resourceTypeOf({
  apiVersion,
  kind,
}: {
  readonly apiVersion: string;
  readonly kind: string;
}): ResourceType {
  const types: readonly ResourceType[] = Object.values<ResourceType>(resources);
  const found = types.find((type) => type.apiVersion === apiVersion && type.kind === kind);
  if (found === undefined) throw new Error(`${kind} of ${apiVersion} is not among the resources of the driver.`);
  return found;
}

function namespaced<T extends KubernetesObject = CustomObject>(
  apiVersion: string,
  kind: string,
  plural = `${kind.toLowerCase()}s`,
): ResourceType<T> {
  return { apiVersion, kind, plural, namespaced: true };
}

function clusterScoped<T extends KubernetesObject>(apiVersion: string, kind: string): ResourceType<T> {
  return { apiVersion, kind, plural: `${kind.toLowerCase()}s`, namespaced: false };
}
