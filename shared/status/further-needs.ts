import { visibleControlPlaneBlockers } from './blockers/control-plane-blockers.ts';
import { isRotation } from './blockers/rotation-blockers.ts';
import { areAddonsDue } from './cluster-blockers.ts';
import { type ClusterState, readState } from './cluster-state.ts';
import { masterNodegroup } from './master-nodegroup.ts';
import type { FaultyServer, Need } from './needs.ts';
import type { Observed } from './observed.ts';
import { isOverdue, type Operations, operationOf, readOperations } from './operations.ts';
import { failures } from './reason/failures.ts';
import { lacksFault } from './reason/machine-failures.ts';
import type { ClusterView } from './views/cluster-view.ts';
import { conditionOf, isConditionTrue } from './views/condition.ts';
import type { MachineView } from './views/machine-view.ts';

/** A server is up, or its failure stands somewhere, within two minutes on a cloud that works. */
const lateMs = 2 * 60_000;
/** Faults asked of Nova in one look; ten servers without a host share one text. */
const maximumServerFaults = 3;

/** What is worth reading next; nothing where all is known that matters. What was read before is not asked for again. */
export function furtherNeeds(observed: Observed, now: Date): readonly Need[] {
  const state = readState(observed);
  const { cluster } = state;
  if (cluster === null) return state.cloudConfig === undefined ? [{ kind: 'cloudConfig' }] : [];
  const operations = readOperations(cluster.annotations);
  const look = { state, cluster, operations, now };
  if (cluster.isDeleting) return [...deletionNeeds(look), ...explanationNeeds(look)];
  if (isSettled(operations)) return [];
  return [...rotationNeeds(look), ...decisionNeeds(look), ...explanationNeeds(look)];
}

interface Look {
  readonly state: ClusterState;
  readonly cluster: ClusterView;
  readonly operations: Operations;
  readonly now: Date;
}

/**
 * Whether every operation on the cluster is over, so that no state of the objects changes the report's words. Where no record
 * is about the control plane (a cluster of the original driver, or a rotation since), its row is judged by what it is.
 */
function isSettled(operations: Operations): boolean {
  const { cluster, nodegroups } = operations;
  const records = [...(cluster === null ? [] : [cluster]), ...nodegroups.values()];
  return operationOf(operations, masterNodegroup) !== null && records.every(({ completed }) => completed !== null);
}

/** Reads that decide whether an open operation is complete. */
function decisionNeeds(look: Look): Need[] {
  return [...controlPlaneNeeds(look), ...addonNeeds(look)];
}

function controlPlaneNeeds({ state, cluster, operations }: Look): Need[] {
  const { controlPlaneName: name } = cluster;
  return name !== null && needsControlPlane(state, cluster, operations) ? [{ kind: 'controlPlane', name }] : [];
}

function addonNeeds({ state, cluster, operations }: Look): Need[] {
  if (state.addons !== undefined || operations.cluster?.completed !== null) return [];
  return areAddonsDue(state, cluster, operations) ? [{ kind: 'addons' }] : [];
}

/** Whatever the machines do meanwhile: the replaced credentials go as soon as nobody uses them. */
function rotationNeeds({ state, cluster, operations: { cluster: own }, now }: Look): Need[] {
  const isOpen = own !== null && own.completed === null && isRotation(own);
  if (!isOpen || state.rotation !== undefined) return [];
  // Who does not say so may be up: what is in the cluster counts until it is certain that nothing is.
  const isInitialized = conditionOf(cluster.conditions, 'ControlPlaneInitialized')?.status !== 'False';
  return [{ kind: 'rotation', isOverdue: isOverdue(own, now), isInitialized }];
}

/** Only where nothing else already says that the control plane's operation goes on. */
function needsControlPlane(state: ClusterState, cluster: ClusterView, operations: Operations): boolean {
  if (state.controlPlane !== undefined) return false;
  const isOpen = (record: { readonly completed: string | null } | null) => record === null || record.completed === null;
  const concerned =
    isOpen(operationOf(operations, masterNodegroup)) || (operations.cluster !== null && isOpen(operations.cluster));
  return concerned && visibleControlPlaneBlockers(state, cluster).length === 0;
}

/** A cluster that was deleted behind the driver's back has its deadline, if any, on the Secret. */
function deletionNeeds({ state, operations }: Look): Need[] {
  const isRecorded = operations.cluster?.type === 'cluster.delete';
  return isRecorded || state.cloudConfig !== undefined ? [] : [{ kind: 'cloudConfig' }];
}

/** Reads that only explain why an operation takes long. */
function explanationNeeds(look: Look): Need[] {
  const needs = [...infrastructureNeeds(look), ...serverNeeds(look)];
  return needs.length > 0 ? needs : [...faultNeeds(look), ...lateNeeds(look)];
}

function infrastructureNeeds({ state, cluster }: Look): Need[] {
  const { infrastructureName, conditions } = cluster;
  if (state.openStackCluster !== undefined || infrastructureName === null) return [];
  const isWaitedFor = cluster.isDeleting
    ? state.machines.length === 0
    : !isConditionTrue(conditions, 'InfrastructureReady');
  return isWaitedFor ? [{ kind: 'openStackCluster', name: infrastructureName }] : [];
}

/** CAPO makes the server once there is bootstrap data; before that there is nothing to see. */
function serverNeeds({ state, cluster, now }: Look): Need[] {
  if (state.openStackServers !== undefined) return [];
  const isWaitedFor = state.machines.some((machine) =>
    machine.isDeleting
      ? isStuck(machine, now)
      : !cluster.isDeleting && isWithoutServer(machine) && isConditionTrue(machine.conditions, 'BootstrapConfigReady'),
  );
  return isWaitedFor ? [{ kind: 'openStackServers' }] : [];
}

function isWithoutServer({ conditions }: MachineView): boolean {
  return !isConditionTrue(conditions, 'InfrastructureReady');
}

function isStuck({ conditions }: MachineView, now: Date): boolean {
  const deleting = conditionOf(conditions, 'Deleting');
  return deleting?.reason === 'WaitingForInfrastructureDeletion' && isLate(deleting.since, now);
}

function faultNeeds({ state, cluster }: Look): Need[] {
  if (state.serverFaults !== undefined || cluster.isDeleting) return [];
  const servers = (state.openStackServers ?? [])
    .filter(lacksFault)
    .flatMap(({ name, instanceId }): FaultyServer[] => (instanceId === null ? [] : [{ name, id: instanceId }]));
  return servers.length === 0 ? [] : [{ kind: 'serverFaults', servers: servers.slice(0, maximumServerFaults) }];
}

/** What a machine that is late may still be explained by, when nothing else says why. */
function lateNeeds({ state, cluster, now }: Look): Need[] {
  if (cluster.isDeleting || failures(state).length > 0) return [];
  const late = state.machines.find((machine) => isWithoutServer(machine) && isLate(machine.created, now));
  if (late !== undefined) return machineNeeds(state, late);
  return state.machines.length === 0 && isLate(cluster.created, now) ? startNeeds(state, cluster) : [];
}

function machineNeeds(state: ClusterState, { name }: MachineView): Need[] {
  return [
    ...(state.openStackMachines === undefined ? [{ kind: 'openStackMachines' } as const] : []),
    ...(state.events === undefined ? [{ kind: 'events', name } as const] : []),
  ];
}

function startNeeds(state: ClusterState, { controlPlaneName }: ClusterView): Need[] {
  return [
    ...(state.controlPlane === undefined && controlPlaneName !== null
      ? [{ kind: 'controlPlane', name: controlPlaneName } as const]
      : []),
    ...(state.events === undefined ? [{ kind: 'events', name: state.stackId } as const] : []),
  ];
}

function isLate(since: number | null, now: Date): boolean {
  return since !== null && now.getTime() - since > lateMs;
}
