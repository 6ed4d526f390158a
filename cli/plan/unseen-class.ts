import * as z from 'zod';
import type { JsonPatchOperation, KubernetesObject } from '../../shared/kubernetes/kubernetes-object.ts';
import { type ResourceType, resources } from '../../shared/kubernetes/resources.ts';
import { textAt } from '../../shared/status/views/json-part.ts';
import { applyJsonPatch, PatchError } from './json-patch.ts';

/** What an upgrade writes into a Cluster. */
const topology = z.object({ version: z.string() });

/**
 * The class that a patch gives to a Cluster; null where it stays as it is. Cluster API refuses a change of a Cluster whose class it
 * does not find, and it does not find one that a dry run has created.
 */
export function newClassOf(
  type: ResourceType<KubernetesObject>,
  before: KubernetesObject,
  operations: readonly JsonPatchOperation[],
): string | null {
  if (type.kind !== resources.cluster.kind || type.apiVersion !== resources.cluster.apiVersion) return null;
  try {
    const wanted = classOf(applyJsonPatch(before, operations));
    return wanted === classOf(before) ? null : wanted;
  } catch (error) {
    // The API server says so of the patch itself.
    if (error instanceof PatchError) return null;
    throw error;
  }
}

/** Name of the class of a Cluster. */
export function classOf(cluster: unknown): string | null {
  return textAt(cluster, 'spec', 'topology', 'classRef', 'name');
}

/** What of a patch Cluster API can judge beside the old class: the version. */
export function versionChange(operations: readonly JsonPatchOperation[]): JsonPatchOperation[] {
  return operations.flatMap((operation): JsonPatchOperation[] => {
    if (operation.path !== '/spec/topology' || operation.op === 'remove') return [];
    const parsed = topology.safeParse(operation.value);
    return parsed.success ? [{ op: 'replace', path: '/spec/topology/version', value: parsed.data.version }] : [];
  });
}
