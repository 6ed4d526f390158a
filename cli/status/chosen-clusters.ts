import { takeInventory } from '../../functions/status/inventory.ts';
import { ForbiddenError } from '../../shared/kubernetes/errors.ts';
import { stackIdPattern } from '../../shared/magnum/stack-id.ts';
import { chooseCluster, knownClusters } from '../cluster/known-cluster.ts';
import type { ManagementCluster } from '../management-cluster.ts';

interface Looking {
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

/** Stack ids of all clusters: those that have a Cluster, have lost it, or are being deleted to the last object. */
export async function allClusters(management: ManagementCluster, { now, signal }: Looking): Promise<readonly string[]> {
  try {
    const { stackIds } = await takeInventory({ kubernetes: management.client, signal, now });
    return stackIds.toSorted();
  } catch (error) {
    // Without the right to read Secrets, those are left out that have no Cluster.
    if (!(error instanceof ForbiddenError)) throw error;
    return (await knownClusters(management, signal)).map(({ stackId }) => stackId);
  }
}

/**
 * Stack ids of the clusters that are asked for. A stack id is taken as it is: its Cluster may be gone.
 * @throws Error in one sentence for a name that is nobody's
 */
export async function namedClusters(
  management: ManagementCluster,
  asked: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (asked.every((name) => stackIdPattern.test(name))) return [...new Set(asked)];
  const known = await knownClusters(management, signal);
  const stackIds = asked.map((name) => (stackIdPattern.test(name) ? name : chooseCluster(known, name).stackId));
  return [...new Set(stackIds)];
}
