import type { CustomObject } from '../../shared/kubernetes/kubernetes-object.ts';
import type { LiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import type { OperationEnvironment } from '../../shared/operation/operation-environment.ts';
import { rejection } from '../../shared/operation/rejection.ts';
import { type LiveInfrastructure, readLiveInfrastructure } from '../../shared/render/live-infrastructure.ts';
import { clusterNameLabel, managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { textAt } from '../../shared/status/views/json-part.ts';

/**
 * What lives of a cluster in the cloud and must not change; null where Cluster API has not made it yet.
 * @throws RejectedError where the class could not keep it
 */
export async function liveInfrastructure(
  { kubernetes }: Pick<OperationEnvironment, 'kubernetes'>,
  cluster: LiveCluster,
): Promise<LiveInfrastructure | null> {
  const labelSelector = `${clusterNameLabel}=${cluster.metadata.name}`;
  const found = own(cluster, await kubernetes.list(resources.openStackCluster, { namespace, labelSelector }));
  if (found === null) return null;
  const read = readLiveInfrastructure(found.spec);
  if ('infrastructure' in read) return read.infrastructure;
  const what = `The driver's class cannot keep ${read.field} of OpenStackCluster ${found.metadata?.name} as it is`;
  throw rejection('unsupported', `${what}, and CAPO lets nobody change it.`);
}

/** @throws RejectedError where it is not clear which is the cluster's */
function own(cluster: LiveCluster, found: readonly CustomObject[]): CustomObject | null {
  const name = textAt(cluster, 'spec', 'infrastructureRef', 'name');
  const named = found.find(({ metadata }) => metadata?.name === name);
  if (named !== undefined) return named;
  if (found.length <= 1) return found[0] ?? null;
  throw rejection('ambiguous', `Cluster ${cluster.metadata.name} has ${found.length} OpenStackClusters.`);
}
