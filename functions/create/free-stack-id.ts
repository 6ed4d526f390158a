import { DependencyError, RejectedError } from '../../shared/contract/errors.ts';
import type { ClusterRepository } from '../../shared/kubernetes/cluster-repository.ts';
import type { ClusterIntent } from '../../shared/magnum/cluster-intent.ts';
import { derivedStackId, type FreeStackId, stackIdAttempts } from '../../shared/operation/derived-stack-id.ts';

/**
 * The name of a Cluster that is about to be created: the one that Magnum knows, or the first derived from the UUID that does
 * not belong to another cluster.
 * @throws RejectedError where Magnum's name belongs to another cluster
 */
export async function freeStackId(repository: ClusterRepository, intent: ClusterIntent): Promise<FreeStackId> {
  if (intent.stackId !== null) return knownStackId(repository, intent.uuid, intent.stackId);
  const derived = await derivedStackId(repository, intent.uuid);
  if (derived !== null) return derived;
  throw new DependencyError(`Each of the first ${stackIdAttempts} names for the Cluster belongs to another cluster.`);
}

async function knownStackId(repository: ClusterRepository, uuid: string, name: string): Promise<FreeStackId> {
  const owner = await repository.ownerOf(name);
  if (owner === null || owner === uuid) return { stackId: name, claimed: owner !== null };
  throw new RejectedError([
    {
      code: 'invalid_field',
      message: `Field cluster.stack_id: ${name} belongs to another cluster.`,
      field: 'cluster.stack_id',
    },
  ]);
}
