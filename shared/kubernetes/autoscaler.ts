import {
  type AutoscalerFacts,
  autoscalerImageAnnotation,
} from '../render/addons/cluster-autoscaler/autoscaler-facts.ts';
import { autoscalerDeployment } from '../render/addons/cluster-autoscaler/deployment.ts';
import { managedByLabel, managementNamespace as namespace } from '../render/metadata.ts';
import { stackNames } from '../render/stack-names.ts';
import type { KubernetesClient } from './client.ts';
import { covers } from './covers.ts';
import { isConflict, isNotFound } from './errors.ts';
import { escapePointer } from './json-pointer.ts';
import type { JsonPatchOperation, KubernetesObject } from './kubernetes-object.ts';
import type { LiveCluster } from './live-cluster.ts';
import { resources } from './resources.ts';

const managedBy = Object.entries(managedByLabel);

/**
 * Writes the autoscaler's Deployment where it is missing or differs from what it has to be. One that another driver
 * installed is left as it is.
 */
export async function ensureAutoscaler(client: KubernetesClient, facts: AutoscalerFacts): Promise<void> {
  const wanted = autoscalerDeployment(facts);
  const live = await client.find(resources.deployment, { namespace, name: stackNames(facts.stackId).autoscaler });
  if (live !== undefined && (!isOurs(live) || covers(live, wanted))) return;
  await client.apply(resources.deployment, wanted, { force: true });
}

/** Deletes the autoscaler's Deployment, unless there is none or it is another driver's. */
export async function removeAutoscaler(client: KubernetesClient, stackId: string): Promise<void> {
  const reference = { namespace, name: stackNames(stackId).autoscaler };
  const live = await client.find(resources.deployment, reference);
  if (live === undefined || !isOurs(live) || live.metadata?.deletionTimestamp !== undefined) return;
  try {
    await client.delete(resources.deployment, reference, { uid: live.metadata?.uid });
  } catch (error) {
    // It is gone, or its name is another object's by now.
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}

/** Names of all Deployments of the driver: in one call what would be one call for each cluster. */
export async function autoscalerNames(client: KubernetesClient): Promise<ReadonlySet<string>> {
  const labelSelector = managedBy.map(([key, value]) => `${key}=${value}`).join(',');
  const names = new Set<string>();
  for await (const { metadata } of client.each(resources.deployment, { namespace, labelSelector })) {
    if (metadata?.name !== undefined) names.add(metadata.name);
  }
  return names;
}

/** Records Magnum's image repository on a Cluster that has annotations by then; none where it is recorded already. */
export function writeAutoscalerImage(cluster: LiveCluster, repository: string): JsonPatchOperation[] {
  const [key, value] = autoscalerImageAnnotation(repository);
  if (cluster.metadata.annotations?.[key] === value) return [];
  return [{ op: 'add', path: `/metadata/annotations/${escapePointer(key)}`, value }];
}

function isOurs({ metadata }: KubernetesObject): boolean {
  return managedBy.every(([key, value]) => metadata?.labels?.[key] === value);
}
