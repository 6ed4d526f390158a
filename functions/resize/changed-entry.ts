import { isDeepStrictEqual } from 'node:util';
import type { JsonPatchOperation } from '../../shared/kubernetes/kubernetes-object.ts';
import type { LiveMachineDeployment } from '../../shared/kubernetes/live-cluster.ts';
import type { NodegroupChange } from '../../shared/magnum/to-nodegroup-change.ts';
import {
  autoscalerKeys,
  limitAnnotations,
  nodeAnnotations,
  nodegroupLabels,
  nodeKeys,
} from '../../shared/render/nodegroup-metadata.ts';
import { changedOverrides } from './changed-overrides.ts';

/** Annotations with what a node of the group brings, which need its flavor; none where they stand there already. */
export type Capacity = Readonly<Record<string, string>>;

type Texts = Readonly<Record<string, string>>;

/**
 * A nodegroup's entry of the topology as its changed row wants it. Whatever the row cannot change is left as it lives, unknown
 * fields too: another flavor, image or volume would rebuild the group (original-facts §3.2).
 */
export function changedEntry(
  entry: LiveMachineDeployment,
  change: NodegroupChange,
  capacity: Capacity = {},
): LiveMachineDeployment {
  const { replicas: _replicas, metadata, variables, ...others } = entry;
  const { annotations: liveAnnotations = {}, ...restOfMetadata } = metadata ?? {};
  const { overrides: liveOverrides = [], ...restOfVariables } = variables ?? {};
  const labels = { ...metadata?.labels, ...nodegroupLabels(change) };
  const annotations = changedAnnotations({ ...capacity, ...liveAnnotations }, change);
  const overrides = changedOverrides(liveOverrides, change);
  const ownVariables = { ...restOfVariables, ...(overrides.length === 0 ? {} : { overrides }) };
  return {
    ...others,
    // Cluster API refuses both a number of nodes and limits for the autoscaler, and empty structs and lists.
    ...(change.size.kind === 'fixed' ? { replicas: change.size.replicas } : {}),
    metadata: { ...restOfMetadata, labels, ...(isEmpty(annotations) ? {} : { annotations }) },
    ...(isEmpty(ownVariables) ? {} : { variables: ownVariables }),
  };
}

/** The patch that makes one entry of the other; paths are those within the entry. */
export function entryChanges(live: LiveMachineDeployment, wanted: LiveMachineDeployment): JsonPatchOperation[] {
  return (['replicas', 'metadata', 'variables'] as const).flatMap((field): JsonPatchOperation[] => {
    const path = `/${field}`;
    if (isDeepStrictEqual(live[field], wanted[field])) return [];
    return wanted[field] === undefined ? [{ op: 'remove', path }] : [{ op: 'add', path, value: wanted[field] }];
  });
}

/** What is said of the nodes' capacity stays with their flavor. */
function changedAnnotations(live: Texts, change: NodegroupChange): Texts {
  if (change.size.kind === 'fixed') return withoutKeys(live, autoscalerKeys);
  return { ...withoutKeys(live, nodeKeys), ...limitAnnotations(change.size), ...nodeAnnotations(change) };
}

function withoutKeys(texts: Texts, keys: readonly string[]): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([name]) => !keys.includes(name)));
}

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0;
}
