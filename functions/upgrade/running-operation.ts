import type { LiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import { readRecord } from '../../shared/kubernetes/operation-record.ts';
import { type Condition, conditionOf, readConditions } from '../../shared/status/views/condition.ts';
import { countAt } from '../../shared/status/views/json-part.ts';

/** What still goes on of the cluster's creation or last upgrade, as a sentence; null = its version may be changed. */
export function runningOperation(cluster: LiveCluster): string | null {
  const reconciled = conditionOf(readConditions(cluster), 'TopologyReconciled');
  const { version } = cluster.spec.topology;
  const upgrading = `The cluster is still being upgraded to ${version}.`;
  if (reconciled?.status === 'False' && reconciled.reason === 'ClusterUpgrading') return upgrading;
  if (reconciled?.status === 'False' && reconciled.reason === 'ClusterCreating') {
    return 'The cluster is still being created.';
  }
  return isUnseen(cluster, reconciled) ? upgrading : null;
}

/** An upgrade that the topology controller has not looked at yet. */
function isUnseen(cluster: LiveCluster, reconciled: Condition | undefined): boolean {
  const record = readRecord(cluster.metadata.annotations, null);
  if (record?.type !== 'cluster.upgrade' || record.completed !== null) return false;
  return reconciled?.observedGeneration !== countAt(cluster, 'metadata', 'generation');
}
