import type { ClusterSnapshot } from './cluster-snapshot.ts';

/** A snapshot for scripts; `report` is what Magnum is told (docs/events.md). */
export function snapshotDocument(snapshot: ClusterSnapshot): object {
  const { stackId, uuid, name, report, operations, nodes, tree, problems } = snapshot;
  return {
    stack_id: stackId,
    uuid,
    name,
    report,
    operations: operations.map(({ nodegroup, record }) => ({ nodegroup, ...record })),
    nodes,
    ...(tree === null ? {} : { objects: tree }),
    problems,
  };
}
