import type { ClusterRepository } from '../kubernetes/cluster-repository.ts';
import type { LiveCluster } from '../kubernetes/live-cluster.ts';
import { missingVariables } from '../render/machine-deployment.ts';
import { rejection } from './rejection.ts';

/** What of a nodegroup's entry the class has to know. */
interface Entry extends Readonly<Parameters<typeof missingVariables>[1]> {
  readonly name: string;
}

/**
 * Checks that a cluster's class defines the variables which a nodegroup overrides. An older class does not know what only newer
 * drivers can ask for, and Cluster API would refuse the whole Cluster.
 * @throws RejectedError
 */
export async function requireVariables(
  repository: ClusterRepository,
  cluster: LiveCluster,
  entry: Entry,
): Promise<void> {
  const known = await repository.classVariables(cluster.spec.topology.classRef.name);
  const missing = missingVariables(known, entry);
  if (missing.length === 0) return;
  const wanting = `${missing.join(', ')}, which nodegroup ${entry.name} needs`;
  throw rejection('upgrade_required', `The cluster's class does not know ${wanting}: upgrade the cluster first.`);
}
