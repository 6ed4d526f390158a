import { clusterDeletion, isClusterDeleted, withDeletion } from './cluster-deletion.ts';
import { type Completion, clusterProgress } from './cluster-progress.ts';
import { missingClusterStatus } from './missing-cluster.ts';
import { nodegroupFacts } from './nodegroup-facts.ts';
import { type NodegroupProgress, nodegroupProgresses } from './nodegroup-progress.ts';
import type { Observed } from './observed.ts';
import type { StatusReport } from './progress.ts';
import { runningVersion } from './running-version.ts';
import { type StatusBasis, type StatusContext, statusBasis } from './status-basis.ts';
import type { ClusterView } from './views/cluster-view.ts';

export interface DerivedStatus {
  readonly report: StatusReport;
  readonly completed: readonly Completion[];
  /** Whether something is going on that a later look may find changed. */
  readonly isOpen: boolean;
}

/**
 * What Magnum may be told of a cluster (design §6). No state of the objects, however incomplete, makes it throw.
 * @returns null where nothing is known that could be reported
 */
export function deriveStatus(observed: Observed, context: StatusContext): DerivedStatus | null {
  const basis = statusBasis(observed, context);
  const { cluster } = basis.state;
  if (cluster === null) return missingClusterStatus(basis);
  const uuid = cluster.uuid ?? basis.magnum?.uuid ?? null;
  return uuid === null ? null : clusterStatus(basis, cluster, uuid);
}

function clusterStatus(basis: StatusBasis, cluster: ClusterView, uuid: string): DerivedStatus {
  const { progress, completed, isOpen, nodegroups } = progressOf(basis, cluster);
  const report = {
    cluster_uuid: uuid,
    stack_id: basis.state.stackId,
    ...progress,
    api_address: cluster.apiAddress,
    coe_version: runningVersion(basis.state, cluster),
    nodegroups: nodegroups.map((nodegroup) => nodegroupReport(basis, cluster, nodegroup)),
  };
  return { report, completed, isOpen };
}

function progressOf(basis: StatusBasis, cluster: ClusterView) {
  const nodegroups = nodegroupProgresses(basis, cluster);
  if (!isClusterDeleted(basis, cluster)) return { ...clusterProgress(basis, cluster, nodegroups), nodegroups };
  const deletion = clusterDeletion(basis, cluster);
  return { ...deletion, nodegroups: withDeletion(basis, deletion, nodegroups) };
}

function nodegroupReport(basis: StatusBasis, cluster: ClusterView, nodegroup: NodegroupProgress) {
  const { name, operation, action, state, status_reason } = nodegroup;
  return { name, operation, action, state, status_reason, ...nodegroupFacts(basis.state, cluster, name) };
}
