import type { Leftover } from '../cloud/leftover.ts';
import { isConflict, isNotFound } from '../kubernetes/errors.ts';
import { resources } from '../kubernetes/resources.ts';
import { managementNamespace as namespace } from '../render/metadata.ts';
import { cleanUpLoadBalancers } from './clean-up-cloud.ts';
import type { Deletion } from './deletion.ts';
import { removeAddons } from './remove-objects.ts';

/**
 * Begins the end of a cluster that is marked: load balancers first, since the cluster's network cannot go while they are
 * there, at last the Cluster, with which Cluster API takes down the machines. Every step may have been done before, and
 * what stays in the cloud is no reason to stop: it is tried again, by the resync and when the Cluster is gone.
 *
 * Returns what is left of the load balancers.
 * @param waitMs how long to wait for their end, in ms
 * @throws KubernetesError, and what `proceed` throws
 */
export async function takeDown(deletion: Deletion, waitMs: number): Promise<readonly Leftover[]> {
  const left = await cleanUpLoadBalancers(deletion, waitMs);
  await removeAddons(deletion);
  await deleteCluster(deletion);
  return left;
}

async function deleteCluster({ environment, cluster, stackId, proceed }: Deletion): Promise<void> {
  if (cluster === null || cluster.metadata?.deletionTimestamp !== undefined) return;
  const { kubernetes, signal } = environment;
  proceed();
  try {
    const uid = cluster.metadata?.uid;
    await kubernetes.delete(resources.cluster, { namespace, name: stackId }, { uid, signal });
  } catch (error) {
    // It is gone, or its name is another cluster's by now.
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
