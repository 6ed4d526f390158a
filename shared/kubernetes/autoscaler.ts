import {
  type AutoscalerFacts,
  type AutoscalerOptions,
  autoscalerOptionAnnotations,
} from '../render/addons/cluster-autoscaler/autoscaler-facts.ts';
import { autoscalerDeployment } from '../render/addons/cluster-autoscaler/deployment.ts';
import { managedByLabel, managedBySelector, managementNamespace as namespace } from '../render/metadata.ts';
import { stackNames } from '../render/stack-names.ts';
import type { KubernetesClient } from './client.ts';
import { covers } from './covers.ts';
import { isConflict, isNotFound } from './errors.ts';
import type { JsonPatchOperation, KubernetesObject } from './kubernetes-object.ts';
import type { LiveCluster } from './live-cluster.ts';
import { resources } from './resources.ts';
import { annotationPath } from './set-annotations.ts';

const managedBy = Object.entries(managedByLabel);

/**
 * Writes the autoscaler's Deployment where it is missing or differs from what it has to be. One that another driver
 * installed is left as it is.
 */
export async function ensureAutoscaler(client: KubernetesClient, facts: AutoscalerFacts): Promise<void> {
  const live = await find(client, facts.stackId);
  if (live === undefined || isOurs(live)) await writeIfDifferent(client, facts, live);
}

/** Like `ensureAutoscaler`, but in place of another driver's: that keeps the release of the cluster's former version. */
export async function takeOverAutoscaler(client: KubernetesClient, facts: AutoscalerFacts): Promise<void> {
  const live = await find(client, facts.stackId);
  if (live === undefined || isOurs(live)) return writeIfDifferent(client, facts, live);
  // Applied over the other's, ours would keep its volumes and flags.
  await deleteExactly(client, live);
  await writeIfDifferent(client, facts, undefined);
}

/** Deletes the autoscaler's Deployment, unless there is none or it is another driver's. */
export async function removeAutoscaler(client: KubernetesClient, stackId: string): Promise<void> {
  const live = await find(client, stackId);
  if (live !== undefined && isOurs(live)) await deleteExactly(client, live);
}

/** Names of all Deployments of the driver: in one call what would be one call for each cluster. */
export async function autoscalerNames(
  client: KubernetesClient,
  options: { readonly signal?: AbortSignal } = {},
): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for await (const { metadata } of client.each(resources.deployment, {
    namespace,
    labelSelector: managedBySelector,
    ...options,
  })) {
    if (metadata?.name !== undefined) names.add(metadata.name);
  }
  return names;
}

/** Records Magnum's options of the autoscaler on a Cluster that has annotations by then; what is recorded already is left out. */
export function writeAutoscalerOptions(cluster: LiveCluster, options: AutoscalerOptions): JsonPatchOperation[] {
  return Object.entries(autoscalerOptionAnnotations(options)).flatMap(([key, value]): JsonPatchOperation[] => {
    const recorded = cluster.metadata.annotations?.[key] ?? null;
    if (recorded === value) return [];
    const path = annotationPath(key);
    return value === null ? [{ op: 'remove', path }] : [{ op: 'add', path, value }];
  });
}

function isOurs({ metadata }: KubernetesObject): boolean {
  return managedBy.every(([key, value]) => metadata?.labels?.[key] === value);
}

type LiveDeployment = Awaited<ReturnType<typeof find>>;

function find(client: KubernetesClient, stackId: string) {
  return client.find(resources.deployment, { namespace, name: stackNames(stackId).autoscaler });
}

async function writeIfDifferent(client: KubernetesClient, facts: AutoscalerFacts, live: LiveDeployment): Promise<void> {
  const wanted = autoscalerDeployment(facts);
  if (!covers(live, wanted)) await client.apply(resources.deployment, wanted, { force: true });
}

async function deleteExactly(client: KubernetesClient, { metadata }: KubernetesObject): Promise<void> {
  const reference = { namespace, name: metadata?.name ?? '' };
  try {
    await client.delete(resources.deployment, reference, { uid: metadata?.uid });
  } catch (error) {
    // It is gone, or its name is another object's by now.
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
