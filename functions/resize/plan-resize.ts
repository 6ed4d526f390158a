import type { EventData } from '../../shared/contract/event-types.ts';
import type { JsonPatchOperation } from '../../shared/kubernetes/kubernetes-object.ts';
import type { LiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import { openRecord } from '../../shared/kubernetes/operation-record.ts';
import { writeRecord } from '../../shared/kubernetes/topology-patch.ts';
import { FaultList } from '../../shared/magnum/reading/fault-list.ts';
import { fieldSubject, nodegroupOwner } from '../../shared/magnum/reading/subject.ts';
import { toNodeCount } from '../../shared/magnum/to-node-count.ts';
import { requireIntent } from '../../shared/operation/require-intent.ts';
import { masterNodegroup } from '../../shared/status/master-nodegroup.ts';
import { isTrueAt } from '../../shared/status/views/json-part.ts';
import type { clusterResizeType } from './accepted-events.ts';
import { chooseVictims, type Victims } from './choose-victims.ts';
import type { NodeMachine } from './node-machine.ts';
import { resizedGroup } from './resized-group.ts';

/** Minutes (design §4). */
const timeout = 60;

export interface ResizeRequest {
  readonly event: { readonly id: string; readonly time: string; readonly data: ResizeArguments };
  readonly nodegroup: string;
  /** All of the cluster; they are looked at only where the request names nodes to remove. */
  readonly machines: readonly NodeMachine[];
}

type ResizeArguments = Pick<EventData<typeof clusterResizeType>, 'nodegroup' | 'node_count' | 'nodes_to_remove'>;

export interface ResizePlan {
  readonly victims: Victims;
  /** Of the Cluster; where its size is right, the record alone makes the status function report the end. */
  readonly operations: readonly JsonPatchOperation[];
}

/** What a resize does to a Cluster as it is. @throws RejectedError with every fault of the request */
export function planResize({ event, nodegroup, machines }: ResizeRequest, cluster: LiveCluster): ResizePlan {
  const { nodegroup: row, node_count: nodeCount, nodes_to_remove } = event.data;
  const group = resizedGroup(cluster, nodegroup);
  const faults = new FaultList();
  const replicas = toNodeCount({ nodegroup: row, nodeCount, faults });
  if (nodegroup === masterNodegroup) checkMasters(cluster, { from: group.replicas ?? 1, to: nodeCount }, faults);
  const request = { nodes: nodes_to_remove ?? [], nodegroup, replicas: group.replicas, nodeCount };
  const victims = chooseVictims(request, machines, faults);
  const operations = [
    ...group.resizedTo(replicas),
    writeRecord(cluster, nodegroup, openRecord(event, 'cluster.resize', timeout)),
  ];
  return requireIntent(faults.outcome({ victims, operations })).intent;
}

/** Nodes reach the first master by its own address, which a second one does not share. */
function checkMasters(
  cluster: LiveCluster,
  { from, to }: { readonly from: number; readonly to: number },
  faults: FaultList,
): void {
  if (to <= 1 || to <= from || hasLoadBalancer(cluster)) return;
  const subject = fieldSubject(nodegroupOwner(masterNodegroup), 'node_count');
  const hint = 'Create a cluster with --master-lb-enabled for more than one master.';
  faults.add(
    subject,
    `: ${to} masters need a load balancer in front of the API, which the cluster was created without`,
    hint,
  );
}

function hasLoadBalancer({ spec }: LiveCluster): boolean {
  const variable = spec.topology.variables.find(({ name }) => name === 'apiServerLoadBalancer');
  return isTrueAt(variable, 'value', 'enabled');
}
