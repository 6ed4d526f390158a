import { clusterNameLabel, managementNamespace } from '../../shared/render/metadata.ts';

/** Metadata of an object that belongs to a cluster. */
export function metadataOf(stackId: string, name: string, labels: Readonly<Record<string, string>> = {}) {
  return { name, namespace: managementNamespace, labels: { [clusterNameLabel]: stackId, ...labels } };
}

export function infrastructure(kind: string, name: string) {
  return { apiGroup: 'infrastructure.cluster.x-k8s.io', kind, name };
}

/** Reasons as Cluster API writes them, none of which is a fault. */
export function conditions(states: Readonly<Record<string, boolean>>) {
  return Object.entries(states).map(([type, isTrue]) => ({
    type,
    status: isTrue ? 'True' : 'False',
    reason: isTrue ? type : `Not${type}`,
    message: isTrue ? '' : `* ${type} of the bench`,
    observedGeneration: 1,
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }));
}
