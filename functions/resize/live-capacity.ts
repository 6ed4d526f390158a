import { findFlavor } from 'openstack-client-ts';
import { askCloud } from '../../shared/cloud/cloud-faults.ts';
import type { LiveCluster, LiveMachineDeployment } from '../../shared/kubernetes/live-cluster.ts';
import { clusterSession } from '../../shared/operation/cluster-session.ts';
import type { OperationEnvironment } from '../../shared/operation/operation-environment.ts';
import { rejection } from '../../shared/operation/rejection.ts';
import { capacityAnnotations } from '../../shared/render/nodegroup-metadata.ts';
import { countAt, textAt } from '../../shared/status/views/json-part.ts';
import type { Capacity } from './changed-entry.ts';

/**
 * What a node of a live nodegroup brings: its flavor is that of the topology, which an update does not change.
 * @throws RejectedError where the cloud does not have the flavor any more, DependencyError
 */
export async function liveCapacity(
  environment: OperationEnvironment,
  cluster: LiveCluster,
  entry: LiveMachineDeployment,
): Promise<Capacity> {
  const flavor = { flavor: variableOf(cluster, entry, 'flavor') };
  const name = textAt(flavor, 'flavor');
  if (name === null) throw rejection('not_found', `The flavor of nodegroup ${entry.name} is not in its topology.`);
  const { session } = await clusterSession(environment, cluster.metadata.name);
  try {
    const found = await askCloud(() => findFlavor(session, name));
    return capacityAnnotations(found, countAt(variableOf(cluster, entry, 'bootVolume'), 'size') ?? 0);
  } finally {
    session.close();
  }
}

/** The nodegroup's own value, else the cluster's. */
function variableOf(cluster: LiveCluster, entry: LiveMachineDeployment, variable: string): unknown {
  const values = [...(entry.variables?.overrides ?? []), ...cluster.spec.topology.variables];
  return values.find(({ name }) => name === variable)?.value;
}
