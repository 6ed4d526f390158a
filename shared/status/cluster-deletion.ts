import type { OperationRecord } from '../kubernetes/operation-record.ts';
import { clusterRemovalBlockers } from './blockers/removal-blockers.ts';
import type { ClusterProgress } from './cluster-progress.ts';
import type { NodegroupProgress } from './nodegroup-progress.ts';
import { isOverdue } from './operations.ts';
import { overdueSentences, type State } from './progress.ts';
import { composeReason } from './reason/compose-reason.ts';
import { sentencesOf } from './reason/finding.ts';
import { because } from './reason/sentence.ts';
import type { StatusBasis } from './status-basis.ts';
import type { ClusterView } from './views/cluster-view.ts';
import { conditionOf } from './views/condition.ts';

/** Whether the cluster is on its way out: somebody asked for it, or deleted the Cluster itself. */
export function isClusterDeleted(basis: StatusBasis, cluster: ClusterView): boolean {
  // Magnum's row is ahead while the load balancers go, which is before the Cluster does.
  return cluster.isDeleting || deletionOf(basis) !== null || basis.magnum?.status === 'DELETE_IN_PROGRESS';
}

/** How far deleting a cluster is whose Cluster is still there. It cannot be complete before that is gone. */
export function clusterDeletion(basis: StatusBasis, cluster: ClusterView): ClusterProgress {
  const record = deletionOf(basis);
  const state: State = record !== null && isOverdue(record, basis.now) ? 'FAILED' : 'IN_PROGRESS';
  const deleting = conditionOf(cluster.conditions, 'Deleting');
  const status_reason = composeReason([
    ...overdueSentences('Deleting the cluster', record, state),
    ...sentencesOf(basis.failures),
    ...clusterRemovalBlockers(basis.state),
    // As long as there are machines it only lists them.
    ...(deleting?.status === 'True' && basis.state.machines.length === 0
      ? [because('The cluster is being deleted', deleting)]
      : []),
    ...sentencesOf(basis.warnings),
  ]);
  const progress = { operation: record?.id ?? null, action: 'DELETE', state, status_reason } as const;
  return { progress, completed: [], isOpen: true };
}

/** The nodegroups go with the cluster; one that was deleted before stays so. */
export function withDeletion(
  { operations }: StatusBasis,
  { progress }: ClusterProgress,
  nodegroups: readonly NodegroupProgress[],
): NodegroupProgress[] {
  const isDeleted = ({ name, state }: NodegroupProgress) =>
    state === 'COMPLETE' && operations.nodegroups.get(name)?.type === 'nodegroup.delete';
  return nodegroups.map((nodegroup) => (isDeleted(nodegroup) ? nodegroup : { ...nodegroup, ...progress }));
}

function deletionOf({ operations, state }: StatusBasis): OperationRecord | null {
  if (operations.cluster?.type === 'cluster.delete') return operations.cluster;
  return state.cloudConfig?.deleteRequested ?? null;
}
