import { createLogger } from '../../shared/host/logger.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { collectionReader } from '../../shared/kubernetes/watch/collection.ts';
import { CollectionError } from '../../shared/kubernetes/watch/collection-error.ts';
import { startObjectWatch } from '../../shared/kubernetes/watch/object-watch.ts';
import { stackIdOfObject } from '../../shared/magnum/stack-id.ts';
import type { ManagementCluster } from '../management-cluster.ts';
import { ChangedClusters } from './changed-clusters.ts';
import { listedKinds } from './cluster-objects.ts';

/** Kinds of which something is shown. */
const watched = [
  resources.cluster,
  ...listedKinds,
  resources.clusterResourceSet,
  resources.clusterResourceSetBinding,
  resources.deployment,
].map(({ apiVersion, kind }) => ({ apiVersion, kind }));

export interface ClusterWatch {
  readonly changes: ChangedClusters;
  /** What is not watched, one sentence each. */
  readonly problems: readonly string[];
}

/**
 * Gathers from now on which clusters have changed, until the signal aborts. What may not be watched is left out and told.
 * @throws CollectionError where nothing at all can be watched
 */
export async function watchClusters(
  { config, namespace }: ManagementCluster,
  signal: AbortSignal,
): Promise<ClusterWatch> {
  const changes = new ChangedClusters();
  const readCollection = collectionReader(config, namespace);
  const logger = createLogger({ level: 'silent' });
  const problems = await Promise.all(
    watched.map(async (resource) => {
      const isServed = await startObjectWatch({
        config,
        resource,
        readCollection,
        async onChange(_change, { name }) {
          const stackId = stackIdOfObject(name);
          if (stackId !== null) changes.add(stackId);
        },
        onGap: () => changes.addAll(),
        logger,
        signal,
      }).catch(problemOf);
      return isServed === false ? `The management cluster has no ${resource.kind}.` : isServed;
    }),
  );
  const [first, ...others] = problems.filter((problem) => problem instanceof CollectionError);
  if (first !== undefined && others.length === watched.length - 1) throw first;
  return { changes, problems: problems.flatMap(told) };
}

function problemOf(error: unknown): CollectionError {
  if (error instanceof CollectionError) return error;
  throw error;
}

function told(problem: true | string | CollectionError): readonly string[] {
  if (problem === true) return [];
  return [typeof problem === 'string' ? problem : problem.message];
}
