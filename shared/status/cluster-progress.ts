import type { OperationRecord } from '../kubernetes/operation-record.ts';
import { clusterBlockers } from './cluster-blockers.ts';
import type { NodegroupProgress } from './nodegroup-progress.ts';
import { actionOfStatus, clusterAction, newestOperation } from './operations.ts';
import { overallState, overdueSentences, type Progress, type State, stateOf } from './progress.ts';
import { composeReason, withoutRepeats } from './reason/compose-reason.ts';
import { sentencesOf } from './reason/finding.ts';
import type { StatusBasis } from './status-basis.ts';
import type { ClusterView } from './views/cluster-view.ts';

/** An open record that can be closed now. */
export interface Completion {
  /** Whose row it is about; null = the cluster's. */
  readonly nodegroup: string | null;
  /** The nodegroup's own, or the cluster's where the nodegroup has ended that before the others. */
  readonly record: OperationRecord;
}

/** How far a cluster is, and which of its records can be closed. */
export interface ClusterProgress {
  readonly progress: Progress;
  readonly completed: readonly Completion[];
  readonly isOpen: boolean;
}

/** The newest of all operations gives the action; those of the nodegroups are a part of the state. */
export function clusterProgress(
  basis: StatusBasis,
  cluster: ClusterView,
  nodegroups: readonly NodegroupProgress[],
): ClusterProgress {
  const { operations, magnum } = basis;
  const own = ownProgress(basis, cluster);
  const parts = nodegroups.filter((nodegroup) => isPart(basis, nodegroup));
  const state = overallState([...(own === null ? [] : [own.state]), ...parts.map((part) => part.state)]);
  const newest = newestOperation(operations);
  const action = newest === null ? actionOfStatus(magnum?.status ?? null) : clusterAction(newest);
  return {
    progress: {
      operation: newest?.id ?? null,
      action,
      state,
      status_reason: state === 'COMPLETE' ? null : reasonOf(basis, own, parts),
    },
    completed: completedTargets(basis, own, nodegroups),
    isOpen: isOpen(basis),
  };
}

interface OwnProgress {
  readonly state: State;
  readonly blockers: readonly string[];
}

/** null where only nodegroups have records: a cluster of the original driver, on which this one has worked. */
function ownProgress({ state, operations, magnum, now }: StatusBasis, cluster: ClusterView): OwnProgress | null {
  const record = operations.cluster;
  if (record === null && operations.nodegroups.size > 0) return null;
  if (record !== null && record.completed !== null) return { state: 'COMPLETE', blockers: [] };
  const blockers = clusterBlockers(state, cluster, operations);
  return { state: stateOf({ record, blockers, magnumStatus: magnum?.status ?? null, now }), blockers };
}

/** A nodegroup that only follows the cluster's operation is judged with it. */
function isPart({ operations, magnumStatusOf }: StatusBasis, { name }: NodegroupProgress): boolean {
  return operations.nodegroups.has(name) || actionOfStatus(magnumStatusOf(name)) === 'DELETE';
}

function reasonOf(basis: StatusBasis, own: OwnProgress | null, parts: readonly NodegroupProgress[]): string | null {
  const failures = sentencesOf(basis.failures);
  const blockers = own === null || own.state === 'COMPLETE' ? [] : own.blockers;
  return composeReason([
    ...(own === null ? [] : overdueSentences('The cluster', basis.operations.cluster, own.state)),
    ...failures,
    ...withoutRepeats(blockers, failures),
    ...parts.flatMap(({ sentences }) => sentences),
    ...sentencesOf(basis.warnings),
  ]);
}

function completedTargets(
  { operations }: StatusBasis,
  own: OwnProgress | null,
  nodegroups: readonly NodegroupProgress[],
): Completion[] {
  const cluster = operations.cluster?.completed === null ? operations.cluster : null;
  const isDone = cluster !== null && own?.state === 'COMPLETE';
  const parts = nodegroups.flatMap(({ name, state, record }) => {
    if (state !== 'COMPLETE' || record === null) return [];
    const isOwnOpen = operations.nodegroups.get(name)?.completed === null;
    // Once it is complete it stays so, and what it shares with the others does not say that.
    const isAhead = record === cluster && !isDone;
    return isOwnOpen || isAhead ? [{ nodegroup: name, record }] : [];
  });
  return isDone ? [{ nodegroup: null, record: cluster }, ...parts] : parts;
}

function isOpen({ operations: { cluster, nodegroups }, magnum }: StatusBasis): boolean {
  const records = [...(cluster === null ? [] : [cluster]), ...nodegroups.values()];
  if (records.length === 0) return magnum?.status?.endsWith('_IN_PROGRESS') === true;
  return records.some(({ completed }) => completed === null);
}
