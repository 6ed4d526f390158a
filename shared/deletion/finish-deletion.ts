import { cleanUpCloud } from './clean-up-cloud.ts';
import type { Deletion } from './deletion.ts';
import { removeAddons, removeCertificates } from './remove-objects.ts';
import { removeOrphanedWorkers } from './remove-orphaned-workers.ts';

/** How far the end of a deletion came. */
export interface CleanUp {
  /** The cloud-config Secret is gone, and with it every trace of the cluster but what remains in the cloud for good. */
  readonly isDone: boolean;
  /** What is left, one sentence each. */
  readonly remaining: readonly string[];
}

/**
 * Cleans up after a Cluster that is gone: workers that it has left, what it has in the cloud, then its Secrets, the
 * cloud-config Secret last, by which every later attempt finds what there is to do. What may still go keeps that Secret; what
 * nobody but an operator can remove is told and logged, and does not keep the deletion from its end.
 * @throws KubernetesError, and what `proceed` throws
 */
export async function finishDeletion(deletion: Deletion): Promise<CleanUp> {
  const { environment, stackId, proceed } = deletion;
  const left = [...(await removeOrphanedWorkers(deletion)), ...(await cleanUpCloud(deletion))];
  const remaining = left.map(({ told }) => told);
  if (left.some(({ isFinal }) => !isFinal)) return { isDone: false, remaining };
  if (left.length > 0)
    environment.log.warn({ stack_id: stackId, remaining }, 'a deleted cluster leaves something behind');
  await removeAddons(deletion);
  await removeCertificates(deletion);
  await environment.repository.deleteCloudConfig(stackId, proceed);
  return { isDone: true, remaining };
}
