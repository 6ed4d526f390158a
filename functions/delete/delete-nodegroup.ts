import type { EventData } from '../../shared/contract/event-types.ts';
import { acceptedReply, checkSubject } from '../../shared/contract/operation-replies.ts';
import type { CloudEventIn, CloudEventOut } from '../../shared/host/cloud-event.ts';
import { withClusterLease } from '../../shared/kubernetes/cluster-lease.ts';
import type { JsonPatchOperation } from '../../shared/kubernetes/kubernetes-object.ts';
import { findEntry, type LiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import { isSuperseded, openRecord, readRecord } from '../../shared/kubernetes/operation-record.ts';
import { removeMachineDeployment, writeRecord } from '../../shared/kubernetes/topology-patch.ts';
import { changeCluster } from '../../shared/operation/change-cluster.ts';
import type { HeldOperation } from '../../shared/operation/held-operation.ts';
import { isBeingDeleted } from '../../shared/operation/live-target.ts';
import type { OperationEnvironment } from '../../shared/operation/operation-environment.ts';
import { rejection } from '../../shared/operation/rejection.ts';
import { masterNodegroup } from '../../shared/status/master-nodegroup.ts';
import type { nodegroupDeleteType } from './accepted-events.ts';

type DeleteEvent = CloudEventIn<typeof nodegroupDeleteType, EventData<typeof nodegroupDeleteType>>;

const operation = 'nodegroup.delete';
/** Minutes (design §4). */
const timeout = 60;

/** What a nodegroup can have a record under: the name of an annotation. */
const recordable = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;

/**
 * Takes a nodegroup out of the topology; its machines and at last its server group go afterwards. What is gone already is
 * as good as deleted.
 * @throws RejectedError, BusyError, DependencyError
 */
export async function deleteNodegroup(environment: OperationEnvironment, event: DeleteEvent): Promise<CloudEventOut> {
  checkSubject(event);
  const { cluster, nodegroup } = event.data;
  checkDeletable(nodegroup);
  return withClusterLease(environment, cluster.uuid, async (proceed) => {
    const found = await environment.repository.findCluster(cluster.uuid, cluster.stack_id || null);
    if (found !== null) await remove({ environment, event, proceed }, found);
    const stackId = found?.metadata.name ?? cluster.stack_id ?? '';
    return acceptedReply({ cluster_uuid: cluster.uuid, stack_id: stackId, nodegroup: nodegroup.name });
  });
}

function checkDeletable({ name, role, is_default: isDefault }: DeleteEvent['data']['nodegroup']): void {
  if (name === '') {
    throw rejection('invalid_field', 'Field nodegroup.name is missing or no text.', { field: 'nodegroup.name' });
  }
  const isMaster = role === 'master' || name === masterNodegroup;
  if (!isMaster && !isDefault) return;
  const what = isMaster ? 'is the control plane' : 'is a default nodegroup';
  throw rejection('unsupported', `Nodegroup ${name} ${what}, which goes only with its cluster.`);
}

async function remove({ environment, event, proceed }: HeldOperation<DeleteEvent>, found: LiveCluster): Promise<void> {
  const { repository } = environment;
  const { uuid } = event.data.cluster;
  const change = {
    repository,
    proceed,
    // Deleted meanwhile, it takes the nodegroup with it.
    reload: async () => (await repository.findCluster(uuid, found.metadata.name)) ?? goneWith(found),
    plan: (cluster: LiveCluster) => removal(event, cluster),
  };
  await changeCluster(change, found);
}

function goneWith(cluster: LiveCluster): LiveCluster {
  return { ...cluster, metadata: { ...cluster.metadata, deletionTimestamp: '' } };
}

/** @throws RejectedError where a newer operation on the nodegroup was accepted, as that which created it again */
function removal(event: DeleteEvent, cluster: LiveCluster): JsonPatchOperation[] {
  const { name } = event.data.nodegroup;
  const record = readRecord(cluster.metadata.annotations, name);
  if (isBeingDeleted(cluster) || record?.id === event.id) return [];
  const isGone = findEntry(cluster, name) === null;
  if (isGone && (record?.type === operation || !recordable.test(name))) return [];
  if (isSuperseded(event, record)) {
    throw rejection('superseded', `A newer operation on nodegroup ${name} was accepted.`);
  }
  // Where nothing is left to remove, the record alone makes the status function report the end.
  return [...removeMachineDeployment(cluster, name), writeRecord(cluster, name, openRecord(event, operation, timeout))];
}
