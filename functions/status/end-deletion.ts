import type { Deletion } from '../../shared/deletion/deletion.ts';
import { finishDeletion } from '../../shared/deletion/finish-deletion.ts';
import { removeLateWorkers } from '../../shared/deletion/remove-orphaned-workers.ts';
import { takeDown } from '../../shared/deletion/take-down.ts';
import { withClusterLease } from '../../shared/kubernetes/cluster-lease.ts';
import { createClusterRepository } from '../../shared/kubernetes/cluster-repository.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { clusterUuidLabel, managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { Environment } from './environment.ts';
import { type Computation, judge, observeStatus } from './observe-status.ts';

/**
 * Ends a deletion whose Cluster is gone. A Cluster that is gone without a delete mark was lost, and of that nothing is
 * cleaned up.
 * @returns the computation with what became of it
 * @throws BusyError, DependencyError
 */
export async function endDeletion(environment: Environment, seen: Computation): Promise<Computation> {
  const { observed, begun } = seen;
  const { cluster, cloudConfig, stackId } = observed;
  const uuid = cloudConfig?.uuid ?? null;
  if (cluster === null && cloudConfig === null) await removeLate(environment, stackId);
  if (cluster !== null || uuid === null || cloudConfig?.deleteRequested == null) return seen;
  return inDeletion(environment, { uuid, stackId }, async (deletion) => {
    // Somebody else has ended it, or there is a Cluster again.
    if (deletion.cluster !== null || deletion.secret === null) return observeStatus(environment, stackId);
    return judge({ ...observed, cleanUp: await finishDeletion(deletion) }, begun);
  });
}

/** Nothing tells any more which Lease to take: each write goes by what it was based on. */
function removeLate(environment: Environment, stackId: string): Promise<void> {
  return removeLateWorkers({ environment, stackId, proceed: () => environment.signal.throwIfAborted() });
}

/**
 * Goes on with a deletion whose Cluster is still there: the function that was asked for it may have died half-way, and
 * the cluster may have made load balancers since. Reports do not wait for what fails: the next resync tries it again.
 */
export async function continueDeletion(environment: Environment, { observed }: Computation): Promise<void> {
  const uuid = observed.cluster?.metadata?.labels?.[clusterUuidLabel];
  if (uuid === undefined) return;
  const { stackId } = observed;
  try {
    await inDeletion(environment, { uuid, stackId }, async (deletion) => {
      if (deletion.cluster !== null) await takeDown(deletion, 0);
    });
  } catch (error) {
    environment.signal.throwIfAborted();
    environment.log.warn({ err: error, stack_id: stackId }, 'a deletion could not be continued');
  }
}

/** Runs the work on the cluster as it is while its Lease is held. */
function inDeletion<T>(
  environment: Environment,
  { uuid, stackId }: Pick<Deletion, 'uuid' | 'stackId'>,
  work: (deletion: Deletion) => Promise<T>,
): Promise<T> {
  const { kubernetes, signal } = environment;
  const repository = createClusterRepository(kubernetes);
  return withClusterLease(environment, uuid, async (proceed) => {
    const [cluster = null, secret] = await Promise.all([
      kubernetes.find(resources.cluster, { namespace, name: stackId }, { signal }),
      repository.findCloudConfig(stackId),
    ]);
    return work({ environment: { ...environment, repository }, uuid, stackId, cluster, secret, proceed });
  });
}
