import type { NodegroupIntent } from '../magnum/cluster-intent.ts';
import type { NodeFacts } from './cloud-facts.ts';
import { flavorFacts } from './node-variables.ts';

const mebibytesInGibibyte = 1024;

/** Of prefixes that Cluster API copies to the nodes (cluster-api-facts, labels and taints). */
export function nodegroupLabels({ name, role }: NodegroupIntent): Record<string, string> {
  return { [`node-role.kubernetes.io/${role}`]: '', 'node.cluster.x-k8s.io/nodegroup': name };
}

/**
 * What the cluster autoscaler reads of an autoscaled nodegroup: its limits and, as it may have no node yet, what a node will
 * be like (original-facts §3.2). A nodegroup of fixed size has none.
 */
export function autoscalerAnnotations(nodegroup: NodegroupIntent, facts: NodeFacts): Record<string, string> {
  if (nodegroup.size.kind === 'fixed') return {};
  const flavor = flavorFacts(facts, nodegroup.flavor);
  const disk = nodegroup.bootVolume.size > 0 ? nodegroup.bootVolume.size : flavor.disk;
  return {
    'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size': `${nodegroup.size.minimum}`,
    'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size': `${nodegroup.size.maximum}`,
    'capacity.cluster-autoscaler.kubernetes.io/memory': `${Math.ceil(flavor.ram / mebibytesInGibibyte)}G`,
    'capacity.cluster-autoscaler.kubernetes.io/cpu': `${flavor.vcpus}`,
    'capacity.cluster-autoscaler.kubernetes.io/ephemeral-disk': `${disk}G`,
    'capacity.cluster-autoscaler.kubernetes.io/labels': nodeLabelPairs(nodegroup).join(','),
    ...taintsAnnotation(nodegroup),
  };
}

/** All labels of a node of the group, each `key=value`. */
function nodeLabelPairs(nodegroup: NodegroupIntent): string[] {
  return [...labelPairs(nodegroupLabels(nodegroup)), ...labelPairs(nodegroup.nodeLabels)];
}

/** Labels as `key=value`, in an order that does not depend on how they were given. */
export function labelPairs(labels: Readonly<Record<string, string>>): string[] {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .sort();
}

function taintsAnnotation({ nodeTaints }: NodegroupIntent): Record<string, string> {
  if (nodeTaints.length === 0) return {};
  const taints = nodeTaints.map(({ key, value, effect }) => `${key}=${value}:${effect}`).join(',');
  return { 'capacity.cluster-autoscaler.kubernetes.io/taints': taints };
}
