import type { EventData } from '../../shared/contract/event-types.ts';
import { acceptedReply, checkSubject } from '../../shared/contract/operation-replies.ts';
import type { CloudEventIn, CloudEventOut } from '../../shared/host/cloud-event.ts';
import { withClusterLease } from '../../shared/kubernetes/cluster-lease.ts';
import { installAutoscaler } from '../../shared/kubernetes/install-autoscaler.ts';
import type { LiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import { readRecord } from '../../shared/kubernetes/operation-record.ts';
import { changeCluster } from '../../shared/operation/change-cluster.ts';
import type { HeldOperation } from '../../shared/operation/held-operation.ts';
import { isRepeated, liveTarget } from '../../shared/operation/live-target.ts';
import type { OperationEnvironment } from '../../shared/operation/operation-environment.ts';
import { requireVariables } from '../../shared/operation/require-variables.ts';
import type { nodegroupUpdateType } from './accepted-events.ts';
import type { Capacity } from './changed-entry.ts';
import { liveCapacity } from './live-capacity.ts';
import { type NodegroupUpdate, nodegroupUpdate, planUpdate } from './plan-update.ts';

type UpdateEvent = CloudEventIn<typeof nodegroupUpdateType, EventData<typeof nodegroupUpdateType>>;

interface Updating extends HeldOperation<UpdateEvent> {
  readonly nodegroup: string;
}

/**
 * Changes the size or limits, the labels and the taints of a nodegroup to those of its row.
 * @throws RejectedError, BusyError, DependencyError
 */
export async function updateNodegroup(environment: OperationEnvironment, event: UpdateEvent): Promise<CloudEventOut> {
  checkSubject(event);
  const { uuid } = event.data.cluster;
  const update = nodegroupUpdate(event);
  const nodegroup = update.name;
  return withClusterLease(environment, uuid, async (proceed) => {
    const updating = { environment, event, nodegroup, proceed };
    const found = await liveTarget(environment.repository, updating);
    const { cluster: live, notes } = isRepeated(updating, found)
      ? { cluster: found, notes: readRecord(found.metadata.annotations, nodegroup)?.notes ?? [] }
      : await apply(updating, update, found);
    updating.proceed();
    const remarks = [...update.notes, ...notes, ...(await installAutoscaler(environment.kubernetes, live))];
    return acceptedReply({ cluster_uuid: uuid, stack_id: live.metadata.name, nodegroup, notes: remarks });
  });
}

async function apply(updating: Updating, update: NodegroupUpdate, found: LiveCluster) {
  const { repository } = updating.environment;
  const capacity = await prepare(updating, update, found);
  let notes: readonly string[] = [];
  const plan = (current: LiveCluster) => {
    const planned = planUpdate(current, update, capacity);
    notes = planned.notes;
    return planned.operations;
  };
  const reload = () => liveTarget(repository, updating);
  const cluster = await changeCluster({ repository, proceed: updating.proceed, reload, plan }, found);
  return { cluster, notes };
}

/** What has to be known beyond the Cluster, and most changes need nothing. @throws RejectedError */
async function prepare({ environment }: Updating, update: NodegroupUpdate, cluster: LiveCluster): Promise<Capacity> {
  const { registrations, withoutCapacity } = planUpdate(cluster, update, {});
  if (registrations.length > 0) {
    const entry = { name: update.name, variables: { overrides: registrations } };
    await requireVariables(environment.repository, cluster, entry);
  }
  return withoutCapacity === null ? {} : liveCapacity(environment, cluster, withoutCapacity);
}
