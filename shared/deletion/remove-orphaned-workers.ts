import type { Leftover } from '../cloud/leftover.ts';
import { findListed } from '../kubernetes/find-listed.ts';
import type { CustomObject } from '../kubernetes/kubernetes-object.ts';
import { type ResourceType, resources } from '../kubernetes/resources.ts';
import { clusterNameLabel, managementNamespace as namespace } from '../render/metadata.ts';
import type { Deletion } from './deletion.ts';
import { optional } from './remove-objects.ts';

/** What a Cluster may leave, each kind before its owner. */
const workerTypes = [resources.machineSet, resources.machineDeployment] as const;

/** Names that a sentence holds. */
const mostNames = 3;

type Orphaned = Pick<Deletion, 'stackId' | 'proceed'> & {
  readonly environment: Pick<Deletion['environment'], 'kubernetes' | 'signal' | 'log'>;
};

/**
 * Deletes the workers that were made after their Cluster had counted what was still to go, as it happens to one that is deleted
 * while it is being made: the topology controller works on what it read before (cluster_controller.go, reconcileDelete). Without
 * the Cluster their own controllers stop at the first step (machinedeployment_controller.go, GetClusterByName), and the
 * finalizers stay for ever. Machines have servers, so where there are any nothing is touched, and they are told.
 * @throws KubernetesError, also where somebody has changed one meanwhile; and what `proceed` throws
 */
export async function removeOrphanedWorkers(orphaned: Orphaned): Promise<readonly Leftover[]> {
  const machines = await list(orphaned, resources.machine);
  if (machines.length > 0) return [{ told: toldOf(machines), isFinal: true }];
  for (const type of workerTypes) {
    for (const object of await list(orphaned, type)) await remove(orphaned, type, object);
  }
  return [];
}

/** Likewise for a cluster of which nothing else is known: only what the garbage collector has found to be without its owner. */
export async function removeLateWorkers(orphaned: Orphaned): Promise<void> {
  const deployments = await list(orphaned, resources.machineDeployment);
  const areLate = deployments.length > 0 && deployments.every(isBeingDeleted);
  if (areLate) await removeOrphanedWorkers(orphaned);
}

function isBeingDeleted({ metadata }: CustomObject): boolean {
  return metadata?.deletionTimestamp !== undefined;
}

function toldOf(machines: readonly CustomObject[]): string {
  const names = machines.slice(0, mostNames).map(({ metadata }) => metadata?.name);
  const others = machines.length > mostNames ? ` and ${machines.length - mostNames} more` : '';
  return `Machines stay with their servers, since their Cluster is gone: ${names.join(', ')}${others}.`;
}

async function list(orphaned: Orphaned, type: ResourceType): Promise<readonly CustomObject[]> {
  const { kubernetes, signal } = orphaned.environment;
  const labelSelector = `${clusterNameLabel}=${orphaned.stackId}`;
  return (await optional(orphaned, () => kubernetes.list(type, { namespace, labelSelector, signal }))) ?? [];
}

async function remove(orphaned: Orphaned, type: ResourceType, object: CustomObject): Promise<void> {
  const { kubernetes, signal } = orphaned.environment;
  const { name = '', uid } = object.metadata ?? {};
  if (!isBeingDeleted(object)) {
    orphaned.proceed();
    await optional(orphaned, () => kubernetes.delete(type, { namespace, name }, { uid, signal }));
  }
  const found = await findListed(kubernetes, type, { namespace, name, signal });
  if (found === undefined || !isBeingDeleted(found) || found.metadata?.uid !== uid) return;
  const { resourceVersion, finalizers } = found.metadata ?? {};
  if (finalizers === undefined) return;
  const operations = [{ op: 'remove', path: '/metadata/finalizers' }] as const;
  orphaned.proceed();
  await kubernetes.patch(type, { namespace, name }, { operations, resourceVersion, signal });
}
