import type { OperationRecord } from '../kubernetes/operation-record.ts';
import { controlPlaneBlockers } from './blockers/control-plane-blockers.ts';
import { deploymentOf, nodegroupBlockers } from './blockers/nodegroup-blockers.ts';
import { removalBlockers } from './blockers/removal-blockers.ts';
import { masterNodegroup } from './master-nodegroup.ts';
import { type Action, actionOfStatus, nodegroupAction, operationOf } from './operations.ts';
import { overdueSentences, type State, stateOf } from './progress.ts';
import { composeReason, withoutRepeats } from './reason/compose-reason.ts';
import { type Finding, findingsOf, sentencesOf } from './reason/finding.ts';
import { rowName, type StatusBasis } from './status-basis.ts';
import type { ClusterView } from './views/cluster-view.ts';

/** Longer than a Cluster and a MachineDeployment that were read one after the other can be apart. */
const staleReadMs = 60_000;

export interface NodegroupProgress {
  readonly name: string;
  /** Id of the event that the rest is about; null where no record tells it. */
  readonly operation: string | null;
  readonly action: Action | null;
  readonly state: State;
  /** Of the operation, the cluster's where the nodegroup follows that; null where none is recorded. */
  readonly record: OperationRecord | null;
  /** What keeps it from being complete, most important first. */
  readonly sentences: readonly string[];
  readonly status_reason: string | null;
}

/** How far the last operation on each nodegroup is, the control plane's first. */
export function nodegroupProgresses(basis: StatusBasis, cluster: ClusterView): NodegroupProgress[] {
  return nodegroupNames(basis, cluster).map((name) => nodegroupProgress(basis, cluster, name));
}

function nodegroupProgress(basis: StatusBasis, cluster: ClusterView, name: string): NodegroupProgress {
  const { magnumStatusOf, now } = basis;
  const record = recordOf(basis, cluster, name);
  const magnumStatus = magnumStatusOf(name);
  const removing = isBeingRemoved(basis, cluster, name);
  const blockers = removing ? removalBlockers(basis.state, name) : presenceBlockers(basis, cluster, name);
  // A record of something else says nothing of a removal that Magnum or Cluster API tells of.
  const judged = removing && record?.type.endsWith('.delete') !== true ? null : record;
  const state =
    removing && judged === null ? removalState(blockers) : stateOf({ record: judged, blockers, magnumStatus, now });
  const action = removing ? 'DELETE' : actionOf(record === null ? null : nodegroupAction(record), magnumStatus);
  const sentences = state === 'COMPLETE' ? [] : sentencesFor(basis, { name, action, state, record: judged, blockers });
  const status_reason = composeReason(sentences);
  return { name, operation: judged?.id ?? null, action, state, record: judged, sentences, status_reason };
}

/** The cluster's operations say nothing of a nodegroup that is not in the topology, or not yet. */
function recordOf({ operations }: StatusBasis, cluster: ClusterView, name: string): OperationRecord | null {
  const isKnown = name === masterNodegroup || cluster.nodegroups.some((entry) => entry.name === name);
  return isKnown ? operationOf(operations, name) : (operations.nodegroups.get(name) ?? null);
}

function removalState(blockers: readonly string[]): State {
  return blockers.length === 0 ? 'COMPLETE' : 'IN_PROGRESS';
}

function actionOf(recorded: Action | null, magnumStatus: string | null): Action | null {
  return recorded ?? actionOfStatus(magnumStatus);
}

function presenceBlockers({ state }: StatusBasis, cluster: ClusterView, name: string): string[] {
  return name === masterNodegroup ? controlPlaneBlockers(state, cluster) : nodegroupBlockers(state, cluster, name);
}

interface Judged extends Pick<NodegroupProgress, 'name' | 'action' | 'state'> {
  readonly record: OperationRecord | null;
  readonly blockers: readonly string[];
}

function sentencesFor(basis: StatusBasis, { name, action, state, record, blockers }: Judged): string[] {
  const about = (findings: readonly Finding[]) => sentencesOf(findingsOf(findings, name));
  const failures = about(basis.failures);
  return [
    ...overdueSentences(action === 'DELETE' ? `Deleting nodegroup ${name}` : `Nodegroup ${name}`, record, state),
    ...failures,
    ...withoutRepeats(blockers, failures),
    ...about(basis.warnings),
  ];
}

/**
 * Whether the nodegroup is on its way out. The topology is not asked for what was recorded as a deletion; without a record,
 * its entry is gone and Magnum, or what is left of it, says that it is not one which is just coming.
 */
function isBeingRemoved(basis: StatusBasis, cluster: ClusterView, name: string): boolean {
  if (name === masterNodegroup) return false;
  const record = recordOf(basis, cluster, name);
  if (record !== null && nodegroupAction(record) === 'DELETE') return true;
  if (cluster.nodegroups.some((entry) => entry.name === name)) return false;
  if (actionOfStatus(basis.magnumStatusOf(name)) === 'DELETE') return true;
  return basis.operations.nodegroups.get(name)?.completed == null && isLeftOver(basis, name);
}

function isLeftOver({ state, now }: StatusBasis, name: string): boolean {
  const deployment = deploymentOf(state, name);
  if (deployment === undefined) return false;
  return deployment.isDeleting || (deployment.created ?? Number.POSITIVE_INFINITY) < now.getTime() - staleReadMs;
}

function nodegroupNames(basis: StatusBasis, cluster: ClusterView): string[] {
  const { operations, magnum, state } = basis;
  const inTopology = cluster.nodegroups.map(({ name }) => name);
  const others = [
    ...[...operations.nodegroups].filter(([, { type }]) => isOfNodegroup(type)).map(([name]) => name),
    ...state.machineDeployments.flatMap(({ nodegroup }) => nodegroup ?? []).filter((name) => isLeftOver(basis, name)),
    ...(magnum?.nodegroups ?? []).filter(isInProgress).map(rowName),
  ];
  return [...new Set([masterNodegroup, ...inTopology, ...others.toSorted()])];
}

/** That it has ended an operation of the cluster says nothing of a nodegroup that is gone since. */
function isOfNodegroup(type: string): boolean {
  return !type.startsWith('cluster.') || type === 'cluster.resize';
}

/** Of the rows that nothing in the management cluster belongs to, those that wait for something. */
function isInProgress({ status }: { readonly status: string | null }): boolean {
  return status?.endsWith('_IN_PROGRESS') === true || status?.startsWith('DELETE_') === true;
}
