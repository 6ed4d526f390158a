import { RejectedError } from '../../shared/contract/errors.ts';
import type { EventData } from '../../shared/contract/event-types.ts';
import { acceptedReply, checkSubject } from '../../shared/contract/operation-replies.ts';
import type { CloudEventIn, CloudEventOut } from '../../shared/host/cloud-event.ts';
import { withClusterLease } from '../../shared/kubernetes/cluster-lease.ts';
import type { LiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import { isMaster } from '../../shared/magnum/intent/control-plane.ts';
import { changeCluster } from '../../shared/operation/change-cluster.ts';
import type { HeldOperation } from '../../shared/operation/held-operation.ts';
import { isRepeated, liveTarget } from '../../shared/operation/live-target.ts';
import type { OperationEnvironment } from '../../shared/operation/operation-environment.ts';
import { masterNodegroup } from '../../shared/status/master-nodegroup.ts';
import type { clusterResizeType } from './accepted-events.ts';
import { markMachines, unmarkMachines } from './deletion-marks.ts';
import { deletionMark, listNodeMachines, type NodeMachine } from './node-machine.ts';
import { planResize } from './plan-resize.ts';

export type ResizeEvent = CloudEventIn<typeof clusterResizeType, EventData<typeof clusterResizeType>>;

interface Resize extends HeldOperation<ResizeEvent> {
  /** The control plane is that of its row, whatever its name. */
  readonly nodegroup: string;
  readonly nodesToRemove: readonly string[];
}

/**
 * Changes the number of nodes of the control plane or of a nodegroup, by its own field of the topology alone.
 * @throws RejectedError, BusyError, DependencyError
 */
export async function resizeCluster(environment: OperationEnvironment, event: ResizeEvent): Promise<CloudEventOut> {
  checkSubject(event);
  const { cluster, nodegroup: row, nodes_to_remove } = event.data;
  const nodegroup = isMaster(row) ? masterNodegroup : row.name;
  return withClusterLease(environment, cluster.uuid, async (proceed) => {
    const resize = { environment, event, nodegroup, nodesToRemove: nodes_to_remove ?? [], proceed };
    const resized = await unmarkingIfRejected(resize, () => carryOut(resize));
    return acceptedReply({ cluster_uuid: cluster.uuid, stack_id: resized.metadata.name, nodegroup });
  });
}

async function carryOut(resize: Resize): Promise<LiveCluster> {
  const { environment, event, nodegroup, proceed } = resize;
  const cluster = await liveTarget(environment.repository, resize);
  if (isRepeated(resize, cluster)) return cluster;
  const machines = await machinesOf(resize, cluster.metadata.name);
  const plan = (current: LiveCluster) => planResize({ event, nodegroup, machines }, current);
  const { victims } = plan(cluster);
  // Before the Cluster: Cluster API takes whatever machine it likes as soon as that asks for fewer.
  await unmarkMachines(markingOf(resize), victims.competing);
  await markMachines(markingOf(resize), victims.chosen);
  const change = {
    repository: environment.repository,
    proceed,
    reload: () => liveTarget(environment.repository, resize),
    plan: (current: LiveCluster) => plan(current).operations,
  };
  return changeCluster(change, cluster);
}

async function machinesOf({ environment, nodesToRemove }: Resize, stackId: string): Promise<readonly NodeMachine[]> {
  return nodesToRemove.length === 0 ? [] : listNodeMachines(environment.kubernetes, stackId, nodesToRemove);
}

/** A resize that does not happen leaves no mark, neither of this attempt nor of one that was cut off. */
async function unmarkingIfRejected<T>(resize: Resize, carryingOut: () => Promise<T>): Promise<T> {
  try {
    return await carryingOut();
  } catch (error) {
    const { stack_id } = resize.event.data.cluster;
    if (error instanceof RejectedError && stack_id) {
      const machines = await machinesOf(resize, stack_id);
      const own = machines.filter(({ annotations }) => annotations?.[deletionMark] === resize.event.id);
      await unmarkMachines(markingOf(resize), own);
    }
    throw error;
  }
}

function markingOf({ environment, event, proceed }: Resize) {
  return { kubernetes: environment.kubernetes, proceed, eventId: event.id };
}
