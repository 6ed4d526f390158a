import { isDeepStrictEqual } from 'node:util';
import type { EventData } from '../../shared/contract/event-types.ts';
import { writeAutoscalerOptions } from '../../shared/kubernetes/autoscaler.ts';
import type { JsonPatchOperation } from '../../shared/kubernetes/kubernetes-object.ts';
import type { LiveCluster, LiveMachineDeployment } from '../../shared/kubernetes/live-cluster.ts';
import { type OperationRecord, openRecord } from '../../shared/kubernetes/operation-record.ts';
import { changeMachineDeployment, writeRecord } from '../../shared/kubernetes/topology-patch.ts';
import { isMaster } from '../../shared/magnum/intent/control-plane.ts';
import { FaultList, type Outcome } from '../../shared/magnum/reading/fault-list.ts';
import { toNodeCount } from '../../shared/magnum/to-node-count.ts';
import { type NodegroupChange, toNodegroupChange } from '../../shared/magnum/to-nodegroup-change.ts';
import { requireIntent } from '../../shared/operation/require-intent.ts';
import type { AutoscalerOptions } from '../../shared/render/addons/cluster-autoscaler/autoscaler-facts.ts';
import { isAutoscaled, neededCapacityKeys } from '../../shared/render/nodegroup-metadata.ts';
import { masterNodegroup } from '../../shared/status/master-nodegroup.ts';
import type { nodegroupUpdateType } from './accepted-events.ts';
import { type Capacity, changedEntry, entryChanges } from './changed-entry.ts';
import { newRegistrations, type VariableOverrides } from './changed-overrides.ts';
import { existingEntry } from './existing-entry.ts';

/** Minutes (design §4). */
const timeout = 60;

type UpdateData = EventData<typeof nodegroupUpdateType>;

interface UpdateEvent {
  readonly id: string;
  readonly time: string;
  readonly data: Pick<UpdateData, 'cluster' | 'cluster_template' | 'nodegroups' | 'nodegroup' | 'options'>;
}

/** What an event asks of a nodegroup. */
export interface NodegroupUpdate {
  readonly name: string;
  /** null for the control plane: its limits are Magnum's own affair, so that only the record is written. */
  readonly change: NodegroupChange | null;
  readonly record: OperationRecord;
  /** Magnum's option for the autoscaler's image. */
  readonly autoscaling: AutoscalerOptions;
  readonly notes: readonly string[];
}

/** @throws RejectedError with every fault of the row */
export function nodegroupUpdate(event: UpdateEvent): NodegroupUpdate {
  const { nodegroup, options } = event.data;
  const isControlPlane = isMaster(nodegroup);
  const { intent: change, notes } = requireIntent(
    isControlPlane ? masterLimits(nodegroup) : toNodegroupChange(event.data, nodegroup),
  );
  return {
    name: isControlPlane ? masterNodegroup : nodegroup.name,
    change,
    record: openRecord(event, 'nodegroup.update', timeout),
    autoscaling: options.auto_scaling,
    notes,
  };
}

function masterLimits(nodegroup: UpdateData['nodegroup']): Outcome<null> {
  const faults = new FaultList();
  toNodeCount({ nodegroup, nodeCount: nodegroup.node_count, faults });
  return faults.outcome(null);
}

export interface UpdatePlan {
  readonly operations: readonly JsonPatchOperation[];
  readonly notes: readonly string[];
  /** Values of variables that the class has to define, and that the nodegroup did not have. */
  readonly registrations: VariableOverrides;
  /** The entry where it becomes autoscaled and nothing says yet what its nodes bring; else null. */
  readonly withoutCapacity: LiveMachineDeployment | null;
}

/** What an update does to a Cluster as it is; what is right already is left out. @throws RejectedError where the nodegroup is gone */
export function planUpdate(cluster: LiveCluster, update: NodegroupUpdate, capacity: Capacity): UpdatePlan {
  const { name, change, record, autoscaling } = update;
  if (change === null) {
    const operations = [writeRecord(cluster, name, record)];
    return { operations, notes: [], registrations: [], withoutCapacity: null };
  }
  const { index, entry } = existingEntry(cluster, name);
  const wanted = changedEntry(entry, change, capacity);
  const changes = entryChanges(entry, wanted);
  const isScaled = change.size.kind === 'autoscaled';
  const notes = isRebuilt(entry, wanted) ? [rebuildNote(name)] : [];
  return {
    operations: [
      ...(changes.length === 0 ? [] : changeMachineDeployment({ index, name }, changes)),
      writeRecord(cluster, name, notes.length === 0 ? record : { ...record, notes }),
      ...(isScaled ? writeAutoscalerOptions(cluster, autoscaling) : []),
    ],
    notes,
    registrations: newRegistrations(overridesOf(wanted), overridesOf(entry)),
    withoutCapacity: isScaled && !isAutoscaled(entry) && !hasCapacity(wanted) ? entry : null,
  };
}

function overridesOf({ variables }: LiveMachineDeployment): VariableOverrides {
  return variables?.overrides ?? [];
}

function isRebuilt(entry: LiveMachineDeployment, wanted: LiveMachineDeployment): boolean {
  return entry.replicas !== 0 && !isDeepStrictEqual(overridesOf(entry), overridesOf(wanted));
}

function rebuildNote(name: string): string {
  return `Nodegroup ${name} is rebuilt node by node, since nodes take labels and taints only when they join the cluster.`;
}

function hasCapacity({ metadata }: LiveMachineDeployment): boolean {
  return neededCapacityKeys.every((key) => metadata?.annotations?.[key] !== undefined);
}
