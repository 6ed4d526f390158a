import { listAddonSecrets } from '../kubernetes/addon-objects.ts';
import { ForbiddenError, isConflict, isNotFound } from '../kubernetes/errors.ts';
import type { KubernetesObject } from '../kubernetes/kubernetes-object.ts';
import { type ResourceType, resources } from '../kubernetes/resources.ts';
import { managementNamespace as namespace } from '../render/metadata.ts';
import { stackNames } from '../render/stack-names.ts';
import type { Deletion, DeletionEnvironment } from './deletion.ts';

/**
 * Deletes what would put things into the workload cluster again, before the Cluster goes: the sets of add-ons with their
 * Secrets, and the autoscaler, this driver's and the original's.
 */
export async function removeAddons(deletion: Deletion): Promise<void> {
  const { stackId } = deletion;
  for (const name of resourceSets(deletion)) await remove(deletion, resources.clusterResourceSet, name);
  for (const name of await addonSecrets(deletion)) await remove(deletion, resources.secret, name);
  await remove(deletion, resources.deployment, stackNames(stackId).autoscaler);
  await removeHelmRelease(deletion);
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
  const { kubernetes, signal } = deletion.environment;
  const ours = (await optional(deletion, () => listAddonSecrets(kubernetes, stackId, { signal }))) ?? [];
  return [...ours.map(({ metadata }) => metadata.name), uuid, `${stackId}-cloud-provider`];
}

/** What the original's release of the autoscaler has beside its Deployment, all of one name. */
const releaseTypes = [
  resources.podDisruptionBudget,
  resources.service,
  resources.roleBinding,
  resources.role,
  resources.serviceAccount,
] as const;

/**
 * Deletes what the original has installed with helm. The Secrets in which helm keeps the release, under the name of the Cluster,
 * go last: by them a later attempt sees that there is something to delete.
 */
async function removeHelmRelease(deletion: Deletion): Promise<void> {
  const { environment, stackId, proceed } = deletion;
  const { kubernetes, signal } = environment;
  const releases = await secretsWith(deletion, `owner=helm,name=${stackId}`);
  if (releases.length === 0) return;
  const reference = { namespace, name: stackNames(stackId).autoscaler };
  for (const type of releaseTypes) {
    proceed();
    await optional(deletion, () => kubernetes.delete(type, reference, { signal }));
  }
  for (const { metadata } of releases) await remove(deletion, resources.secret, metadata?.name ?? '');
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

/** What is needed to say what stays. */
interface Told extends Pick<Deletion, 'stackId'> {
  readonly environment: Pick<DeletionEnvironment, 'log'>;
}

/** Undefined where the object is gone, or is none of ours any more, or where we may not: the Cluster goes all the same. */
export async function optional<T>({ environment, stackId }: Told, step: () => Promise<T>): Promise<T | undefined> {
  try {
    return await step();
  } catch (error) {
    if (isNotFound(error) || isConflict(error)) return undefined;
    if (!(error instanceof ForbiddenError) || error.apiStatus !== 403) throw error;
    environment.log.warn({ err: error, stack_id: stackId }, 'an object of a deleted cluster stays');
    return undefined;
  }
}
