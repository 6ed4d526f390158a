import { because } from '../reason/sentence.ts';
import type { ClusterView } from '../views/cluster-view.ts';
import { conditionOf, isConditionTrue } from '../views/condition.ts';

/*
 * Blockers are what keeps an operation from being complete, each a sentence for Magnum's status_reason. None = complete.
 */

/** Reasons of a topology that is being passed on: how far that is, the machines tell more exactly. */
const underWay = ['ClusterCreating', 'ClusterUpgrading'];

/**
 * What Cluster API still has to do to pass the topology on. Its condition is exact: it stays False (ClusterUpgrading) until the
 * last machine deployment is created and upgraded. It counts only for the generation that it names.
 */
export function topologyBlockers({ conditions, generation }: ClusterView): string[] {
  const reconciled = conditionOf(conditions, 'TopologyReconciled');
  if (reconciled === undefined) return ['Cluster API has not looked at the topology yet.'];
  if (reconciled.status !== 'True') return [because('The topology is not reconciled', reconciled)];
  if (generation !== null && reconciled.observedGeneration === generation) return [];
  return ['Cluster API has not looked at the latest change of the topology yet.'];
}

/** Those that everything else waits for. */
export function beginningTopologyBlockers(cluster: ClusterView): string[] {
  const reconciled = conditionOf(cluster.conditions, 'TopologyReconciled');
  const isUnderWay = reconciled?.status === 'False' && underWay.includes(reconciled.reason);
  return isUnderWay ? [] : topologyBlockers(cluster);
}

export function infrastructureBlockers({ conditions }: ClusterView): string[] {
  if (isConditionTrue(conditions, 'InfrastructureReady')) return [];
  return [because('The infrastructure of the cluster is not ready', conditionOf(conditions, 'InfrastructureReady'))];
}
