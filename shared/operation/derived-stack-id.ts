import type { ClusterRepository } from '../kubernetes/cluster-repository.ts';
import { stackId } from '../magnum/stack-id.ts';

/** With 36^5 names, more clashes in a row than this are no coincidence. */
export const stackIdAttempts = 10;

export interface FreeStackId {
  readonly stackId: string;
  /** An earlier attempt claimed the name and did not finish. */
  readonly claimed: boolean;
}

/** The first name derived from the UUID that does not belong to another cluster; null where all that are tried do. */
export async function derivedStackId(repository: ClusterRepository, uuid: string): Promise<FreeStackId | null> {
  for (let attempt = 0; attempt < stackIdAttempts; attempt += 1) {
    const name = stackId(uuid, attempt);
    const owner = await repository.ownerOf(name);
    if (owner === null || owner === uuid) return { stackId: name, claimed: owner !== null };
  }
  return null;
}
