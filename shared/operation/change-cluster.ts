import type { ClusterRepository } from '../kubernetes/cluster-repository.ts';
import { isConflict } from '../kubernetes/errors.ts';
import type { JsonPatchOperation } from '../kubernetes/kubernetes-object.ts';
import type { LiveCluster } from '../kubernetes/live-cluster.ts';
import { inShortSpan } from '../telemetry/in-span.ts';
import { refusedByClusterApi } from './refused-by-cluster-api.ts';

/** The topology controller writes the Cluster's status all the time, and each write is a new version. */
const attempts = 5;

export interface ClusterChange {
  readonly repository: ClusterRepository;
  /** Runs before each write. @throws DriverError when the Lease is lost or nobody waits for the result */
  readonly proceed: () => void;
  /** Reads the Cluster again after another has written it. @throws RejectedError where it may not be changed any more */
  readonly reload: () => Promise<LiveCluster>;
  /** The change as it has to be on a version of the Cluster; none where there is nothing left to change. */
  readonly plan: (cluster: LiveCluster) => readonly JsonPatchOperation[];
}

/**
 * Changes a Cluster by one JSON Patch that is based on the version it was planned for (design §4, Writes).
 * @returns the Cluster as it is then. @throws RejectedError where Cluster API refuses it, ConflictError after five versions
 */
export function changeCluster(change: ClusterChange, cluster: LiveCluster): Promise<LiveCluster> {
  return refusedByClusterApi(() => attempt(change, cluster, attempts));
}

async function attempt(change: ClusterChange, cluster: LiveCluster, left: number): Promise<LiveCluster> {
  const operations = inShortSpan({ name: 'render change' }, () => change.plan(cluster));
  if (operations.length === 0) return cluster;
  change.proceed();
  try {
    return await change.repository.patchCluster(cluster, operations);
  } catch (error) {
    if (!isConflict(error) || left <= 1) throw error;
    return attempt(change, await change.reload(), left - 1);
  }
}
