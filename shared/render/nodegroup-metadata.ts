import type { NodegroupIntent, NodegroupSize } from '../magnum/cluster-intent.ts';
import type { FlavorFacts, NodeFacts } from './cloud-facts.ts';
import { flavorFacts } from './node-variables.ts';

const limitPrefix = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-';
const capacityPrefix = 'capacity.cluster-autoscaler.kubernetes.io/';

export const minimumSizeAnnotation = `${limitPrefix}min-size`;
export const maximumSizeAnnotation = `${limitPrefix}max-size`;

const memoryKey = `${capacityPrefix}memory`;
const cpuKey = `${capacityPrefix}cpu`;
const diskKey = `${capacityPrefix}ephemeral-disk`;
/** Without these the autoscaler does not scale from zero. */
export const neededCapacityKeys = [memoryKey, cpuKey] as const;
const labelsKey = `${capacityPrefix}labels`;
const taintsKey = `${capacityPrefix}taints`;

/** Annotations with the labels and taints of the nodes. */
export const nodeKeys: readonly string[] = [labelsKey, taintsKey];

/** Every annotation by which the driver speaks to the autoscaler. */
export const autoscalerKeys: readonly string[] = [
  minimumSizeAnnotation,
  maximumSizeAnnotation,
  ...neededCapacityKeys,
  diskKey,
  ...nodeKeys,
];

interface WithAnnotations {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> | undefined } | undefined;
}

/** Whether an entry of a topology has limits for the autoscaler. */
export function isAutoscaled({ metadata }: WithAnnotations): boolean {
  return metadata?.annotations?.[minimumSizeAnnotation] !== undefined;
}

type Named = Pick<NodegroupIntent, 'name' | 'role'>;
type Registered = Named & Pick<NodegroupIntent, 'nodeLabels' | 'nodeTaints'>;

/** Of prefixes that Cluster API copies to the nodes (cluster-api-facts, labels and taints). */
export function nodegroupLabels({ name, role }: Named): Record<string, string> {
  return { [`node-role.kubernetes.io/${role}`]: '', 'node.cluster.x-k8s.io/nodegroup': name };
}

/**
 * What the cluster autoscaler reads of an autoscaled nodegroup: its limits and, as it may have no node yet, what a node will
 * be like (original-facts §3.2). A nodegroup of fixed size has none.
 */
export function autoscalerAnnotations(nodegroup: NodegroupIntent, facts: NodeFacts): Record<string, string> {
  if (nodegroup.size.kind === 'fixed') return {};
  return {
    ...limitAnnotations(nodegroup.size),
    ...capacityAnnotations(flavorFacts(facts, nodegroup.flavor), nodegroup.bootVolume.size),
    ...nodeAnnotations(nodegroup),
  };
}

export function limitAnnotations({ minimum, maximum }: NodegroupSize & { readonly kind: 'autoscaled' }) {
  return { [minimumSizeAnnotation]: `${minimum}`, [maximumSizeAnnotation]: `${maximum}` };
}

/**
 * Quantities of Kubernetes: Nova counts RAM in MiB and disks in GiB.
 * @param bootVolumeSize in GiB; 0 = the flavor's own disk is the root disk
 */
export function capacityAnnotations(flavor: Omit<FlavorFacts, 'name'>, bootVolumeSize: number): Record<string, string> {
  const disk = bootVolumeSize > 0 ? bootVolumeSize : flavor.disk;
  return {
    [memoryKey]: `${flavor.ram}Mi`,
    [cpuKey]: `${flavor.vcpus}`,
    // A flavor without a disk leaves it to the image, and nothing is known of it.
    ...(disk > 0 ? { [diskKey]: `${disk}Gi` } : {}),
  };
}

/** Labels and taints of the group's nodes; without taints there is no annotation of them. */
export function nodeAnnotations(nodegroup: Registered): Record<string, string> {
  return { [labelsKey]: nodeLabelPairs(nodegroup).join(','), ...taintsAnnotation(nodegroup) };
}

/** All labels of a node of the group, each `key=value`. */
function nodeLabelPairs(nodegroup: Registered): string[] {
  return [...labelPairs(nodegroupLabels(nodegroup)), ...labelPairs(nodegroup.nodeLabels)];
}

/** Labels as `key=value`, in an order that does not depend on how they were given. */
export function labelPairs(labels: Readonly<Record<string, string>>): string[] {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .sort();
}

function taintsAnnotation({ nodeTaints }: Registered): Record<string, string> {
  if (nodeTaints.length === 0) return {};
  const taints = nodeTaints.map(({ key, value, effect }) => `${key}=${value}:${effect}`).join(',');
  return { [taintsKey]: taints };
}
