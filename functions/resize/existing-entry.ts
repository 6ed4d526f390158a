import { findEntry, type LiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import { readRecord } from '../../shared/kubernetes/operation-record.ts';
import { shownName } from '../../shared/magnum/reading/subject.ts';
import { rejection } from '../../shared/operation/rejection.ts';

/**
 * Where a worker nodegroup stands in the topology, and its entry.
 * @throws RejectedError where it is not, or not any more
 */
export function existingEntry(cluster: LiveCluster, nodegroup: string): NonNullable<ReturnType<typeof findEntry>> {
  if (readRecord(cluster.metadata.annotations, nodegroup)?.type === 'nodegroup.delete') {
    throw rejection('superseded', `Nodegroup ${shownName(nodegroup)} is being deleted.`);
  }
  const found = findEntry(cluster, nodegroup);
  if (found !== null) return found;
  throw rejection('not_found', `Nodegroup ${shownName(nodegroup)} does not exist in the management cluster.`);
}
