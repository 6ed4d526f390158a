import type {
  V1ClusterRole,
  V1ClusterRoleBinding,
  V1ConfigMap,
  V1CSIDriver,
  V1DaemonSet,
  V1DaemonSetSpec,
  V1Deployment,
  V1DeploymentSpec,
  V1LabelSelector,
  V1ObjectMeta,
  V1PodSpec,
  V1PodTemplateSpec,
  V1PolicyRule,
  V1Role,
  V1RoleBinding,
  V1Secret,
  V1Service,
  V1ServiceAccount,
  V1ServiceSpec,
} from '@kubernetes/client-node';
import type { Wire } from '../../kubernetes/kubernetes-object.ts';
import { base64 } from '../base64.ts';

/** Namespace of everything that add-ons bring, where the kind has one. */
export const addonNamespace = 'kube-system';

/** An object of the workload cluster. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ManifestMetadata;
}

export interface ManifestMetadata {
  readonly name: string;
  /** Absent where the kind has none: Cluster API needs it to be said. */
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Name, labels and annotations; the namespace is that of all add-ons. */
export type Identity = Omit<ManifestMetadata, 'namespace'>;

/** A type of `@kubernetes/client-node` with all that makes it a manifest. */
type ManifestOf<T> = Omit<Wire<T>, 'apiVersion' | 'kind' | 'metadata'> & Manifest;

type Content<T extends { metadata?: V1ObjectMeta }> = Omit<Wire<T>, 'apiVersion' | 'kind' | 'metadata'>;

export function serviceAccount(identity: Identity): ManifestOf<V1ServiceAccount> {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: namespaced(identity) };
}

export function configMap(identity: Identity, data: Readonly<Record<string, string>>): ManifestOf<V1ConfigMap> {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: namespaced(identity), data };
}

/** @param texts values as text, which are written in base64 */
export function secret(identity: Identity, texts: Readonly<Record<string, string>>): ManifestOf<V1Secret> {
  const data = Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, base64(value)]));
  return { apiVersion: 'v1', kind: 'Secret', metadata: namespaced(identity), type: 'Opaque', data };
}

export function service(identity: Identity, spec: Wire<V1ServiceSpec>): ManifestOf<V1Service> {
  return { apiVersion: 'v1', kind: 'Service', metadata: namespaced(identity), spec };
}

export function daemonSet(identity: Identity, spec: Wire<V1DaemonSetSpec>): ManifestOf<V1DaemonSet> {
  return { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: namespaced(identity), spec };
}

export function deployment(identity: Identity, spec: Wire<V1DeploymentSpec>): ManifestOf<V1Deployment> {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: namespaced(identity), spec };
}

interface Pods {
  readonly selector: Wire<V1LabelSelector>;
  readonly template: Wire<V1PodTemplateSpec>;
}

/** The pods of a workload, which selects them by all labels that they have. */
export function podsOf(labels: Record<string, string>, spec: Wire<V1PodSpec>): Pods {
  return { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } };
}

export function csiDriver(identity: Identity, spec: Content<V1CSIDriver>['spec']): ManifestOf<V1CSIDriver> {
  return { apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: identity, spec };
}

const rbac = 'rbac.authorization.k8s.io';

type Rules = readonly Wire<V1PolicyRule>[];

export function clusterRole(identity: Identity, rules: Rules): ManifestOf<V1ClusterRole> {
  return { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: identity, rules: [...rules] };
}

export function role(identity: Identity, rules: Rules): ManifestOf<V1Role> {
  return { apiVersion: `${rbac}/v1`, kind: 'Role', metadata: namespaced(identity), rules: [...rules] };
}

/** Who gets which role; both stand in the add-ons' namespace, where they have one. */
export interface Grant {
  readonly role: string;
  readonly serviceAccount: string;
}

export function clusterRoleBinding(identity: Identity, grant: Grant): ManifestOf<V1ClusterRoleBinding> {
  const parts = grantParts('ClusterRole', grant);
  return { apiVersion: `${rbac}/v1`, kind: 'ClusterRoleBinding', metadata: identity, ...parts };
}

export function roleBinding(identity: Identity, grant: Grant): ManifestOf<V1RoleBinding> {
  const parts = grantParts('Role', grant);
  return { apiVersion: `${rbac}/v1`, kind: 'RoleBinding', metadata: namespaced(identity), ...parts };
}

function grantParts(kind: 'ClusterRole' | 'Role', { role: name, serviceAccount: account }: Grant) {
  return {
    roleRef: { apiGroup: rbac, kind, name },
    subjects: [{ kind: 'ServiceAccount', name: account, namespace: addonNamespace }],
  };
}

function namespaced(identity: Identity): ManifestMetadata & { readonly namespace: string } {
  return { ...identity, namespace: addonNamespace };
}
