import type { V1ClusterRole, V1Container, V1PodSpec, V1RoleBinding } from '@kubernetes/client-node';
import type { Manifest } from '../../manifest.ts';

/** @throws Error where there is none */
export function find<T = Record<string, unknown>>(manifests: readonly Manifest[], kind: string, name: string): T {
  const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (found === undefined) throw new Error(`There is no ${kind} ${name}.`);
  return found as T;
}

/** Kind, namespace and name of each. */
export function identities(manifests: readonly Manifest[]) {
  return manifests.map(({ kind, metadata }) => [kind, metadata.namespace ?? null, metadata.name].join(' '));
}

interface Workload {
  readonly spec: {
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: V1PodSpec;
    };
  };
}

/** The workload's own fields without the pods', and those of its pods without containers and volumes. */
export function workloadFacts(manifests: readonly Manifest[], kind: string, name: string) {
  const { template, ...own } = find<Workload>(manifests, kind, name).spec;
  const { containers: _containers, volumes: _volumes, ...pod } = template.spec;
  return { ...own, podLabels: template.metadata.labels, pod };
}

function podOf(manifests: readonly Manifest[], kind: string, name: string): V1PodSpec {
  return find<Workload>(manifests, kind, name).spec.template.spec;
}

/** Volumes by name: the path of the node and what it has to be, or the whole source. */
export function volumeFacts(manifests: readonly Manifest[], kind: string, name: string) {
  const volumes = podOf(manifests, kind, name).volumes ?? [];
  return Object.fromEntries(
    volumes.map(({ name: volume, hostPath, ...source }) => [
      volume,
      hostPath === undefined ? source : `${hostPath.path} ${hostPath.type}`,
    ]),
  );
}

/** Containers by name: what they run, know, mount and may. */
export function containerFacts(manifests: readonly Manifest[], kind: string, name: string) {
  return Object.fromEntries(podOf(manifests, kind, name).containers.map((one) => [one.name, factsOf(one)]));
}

function factsOf({
  name: _name,
  imagePullPolicy,
  command,
  args = [],
  env = [],
  volumeMounts = [],
  ...rest
}: V1Container) {
  const run = [...(command ?? []), ...args].join(' ');
  const variables = env.map(({ name, value, valueFrom }) => [name, value ?? valueFrom?.fieldRef?.fieldPath]);
  const mounts = volumeMounts.map(({ mountPath, name, readOnly, mountPropagation }) => [
    mountPath,
    [name, ...(readOnly ? ['read-only'] : []), ...(mountPropagation ? [mountPropagation] : [])].join(' '),
  ]);
  return { ...rest, imagePullPolicy, run, env: Object.fromEntries(variables), mounts: Object.fromEntries(mounts) };
}

type RoleKind = 'ClusterRole' | 'Role';

/** What a ServiceAccount may by bindings of one kind, a line a resource: `group/resource: verbs`, sorted. */
export function permissions(manifests: readonly Manifest[], account: string, kind: RoleKind = 'ClusterRole'): string[] {
  const bindings = manifests.filter((manifest) => manifest.kind === `${kind}Binding`) as unknown as V1RoleBinding[];
  const roles = bindings
    .filter(({ subjects }) => subjects?.some(({ name, namespace }) => name === account && namespace === 'kube-system'))
    .map(({ roleRef }) => find<V1ClusterRole>(manifests, roleRef.kind, roleRef.name));
  const lines = roles.flatMap(({ rules = [] }) =>
    rules.flatMap(({ apiGroups = [], resources = [], verbs }) =>
      apiGroups.flatMap((group) => resources.map((resource) => `${group}/${resource}: ${verbs.toSorted().join(' ')}`)),
    ),
  );
  return [...new Set(lines)].toSorted();
}
