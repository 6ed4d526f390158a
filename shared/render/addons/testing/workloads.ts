import type { V1PodSpec, V1PodTemplateSpec } from '@kubernetes/client-node';
import type { Manifest } from '../manifest.ts';
import { containersOf, factsOf } from './containers.ts';
import { find } from './manifests.ts';

interface Workload {
  readonly spec: {
    readonly template: V1PodTemplateSpec & {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: V1PodSpec;
    };
  };
}

/** The pods of a workload, e.g. of a DaemonSet. */
export function podOf(manifests: readonly Manifest[], kind: string, name: string): V1PodSpec {
  return find<Workload>(manifests, kind, name).spec.template.spec;
}

/** The workload's own fields without the pods', and those of its pods without containers and volumes. */
export function workloadFacts(manifests: readonly Manifest[], kind: string, name: string) {
  const { template, ...own } = find<Workload>(manifests, kind, name).spec;
  const { containers: _containers, volumes: _volumes, ...pod } = template.spec;
  return { ...own, podLabels: template.metadata.labels, pod };
}

/** What such facts say of a workload that selects its pods by all their labels. */
export function selecting(labels: Readonly<Record<string, string>>) {
  return { selector: { matchLabels: labels }, podLabels: labels };
}

/** Containers by name: what they run, know, mount and may. */
export function containerFacts(manifests: readonly Manifest[], kind: string, name: string) {
  const { template } = find<Workload>(manifests, kind, name).spec;
  return Object.fromEntries(containersOf(template).map((container) => [container.name, factsOf(container)]));
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

/** Tags of the images of these workloads, in the order of their containers. */
export function imageTags(manifests: readonly Manifest[], ...workloads: readonly (readonly [string, string])[]) {
  const containers = workloads.flatMap(([kind, name]) => Object.values(containerFacts(manifests, kind, name)));
  return containers.map(({ image }) => image?.split(':').at(-1));
}
