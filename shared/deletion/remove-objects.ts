import { ForbiddenError, isConflict, isNotFound } from '../kubernetes/errors.ts';
import type { KubernetesObject } from '../kubernetes/kubernetes-object.ts';
import { type ResourceType, resources } from '../kubernetes/resources.ts';
import { clusterNameLabel, managedBySelector, managementNamespace as namespace } from '../render/metadata.ts';
import { stackNames } from '../render/stack-names.ts';
import type { Deletion } from './deletion.ts';

/** Type of a Secret whose content a ClusterResourceSet applies. */
const resourceSetType = 'addons.cluster.x-k8s.io/resource-set';

/**
 * Deletes what would put things into the workload cluster again, before the Cluster goes: the sets of add-ons with their
 * Secrets, and the autoscaler, this driver's and the original's.
 */
export async function removeAddons(deletion: Deletion): Promise<void> {
  const { stackId } = deletion;
  for (const name of resourceSets(deletion)) await remove(deletion, resources.clusterResourceSet, name);
  for (const name of await addonSecrets(deletion)) await remove(deletion, resources.secret, name);
  await remove(deletion, resources.deployment, stackNames(stackId).autoscaler);
  for (const name of await helmSecrets(deletion)) await remove(deletion, resources.secret, name);
}

/** Deletes the Secrets that the Cluster needed to its end; the cloud-config Secret stays. */
export async function removeCertificates(deletion: Deletion): Promise<void> {
  const { certificates } = stackNames(deletion.stackId);
  for (const name of Object.values(certificates)) await remove(deletion, resources.secret, name);
}

/** Names of the Cluster's sets; the first is this driver's, the others are the original's (seed §3.2). */
function resourceSets({ stackId, uuid }: Deletion): readonly string[] {
  return [stackNames(stackId).addons, uuid, `${stackId}-cloud-provider`];
}

/** The original's have the names of their sets, and no labels. */
async function addonSecrets(deletion: Deletion): Promise<readonly string[]> {
  const { stackId, uuid } = deletion;
  const secrets = await secretsWith(deletion, `${clusterNameLabel}=${stackId},${managedBySelector}`);
  const ours = secrets.filter(({ type }) => type === resourceSetType).flatMap(({ metadata }) => metadata?.name ?? []);
  return [...ours, uuid, `${stackId}-cloud-provider`];
}

/** Where helm, with which the original installs the autoscaler, keeps its releases; they have the name of the Cluster. */
async function helmSecrets(deletion: Deletion): Promise<readonly string[]> {
  const secrets = await secretsWith(deletion, `owner=helm,name=${deletion.stackId}`);
  return secrets.flatMap(({ metadata }) => metadata?.name ?? []);
}

async function secretsWith(deletion: Deletion, labelSelector: string) {
  const { kubernetes, signal } = deletion.environment;
  const list = () => kubernetes.list(resources.secret, { namespace, labelSelector, signal });
  return (await optional(deletion, list)) ?? [];
}

async function remove<T extends KubernetesObject>(
  deletion: Deletion,
  type: ResourceType<T>,
  name: string,
): Promise<void> {
  const { kubernetes, signal } = deletion.environment;
  const found = await optional(deletion, () => kubernetes.find(type, { namespace, name }, { signal }));
  if (found === undefined) return;
  deletion.proceed();
  await optional(deletion, () => kubernetes.delete(type, { namespace, name }, { uid: found.metadata?.uid, signal }));
}

/** Undefined where the object is gone, or is none of ours any more, or where we may not: the Cluster goes all the same. */
async function optional<T>({ environment, stackId }: Deletion, step: () => Promise<T>): Promise<T | undefined> {
  try {
    return await step();
  } catch (error) {
    if (isNotFound(error) || isConflict(error)) return undefined;
    if (!(error instanceof ForbiddenError) || error.apiStatus !== 403) throw error;
    environment.log.warn({ err: error, stack_id: stackId }, 'an object of a deleted cluster stays');
    return undefined;
  }
}
