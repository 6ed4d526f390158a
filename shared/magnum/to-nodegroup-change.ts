import type { NodegroupIntent } from './cluster-intent.ts';
import { nodeLabels, nodeTaints } from './intent/node-metadata.ts';
import { nodegroupRole } from './intent/nodegroup.ts';
import { nodegroupSize } from './intent/nodegroup-size.ts';
import type { Outcome } from './reading/fault-list.ts';
import { clusterReading, nodegroupReading } from './reading/snapshot-reading.ts';
import type { MagnumSnapshot, NodegroupSnapshot } from './snapshot.ts';

/** What of a nodegroup can be changed; its flavor, image, volumes and health check stay as they are until an upgrade. */
export type NodegroupChange = Pick<NodegroupIntent, 'name' | 'role' | 'size' | 'nodeLabels' | 'nodeTaints'>;

/** What a request asks of a worker nodegroup that exists, or all its faults at once; nothing else of the row is read. */
export function toNodegroupChange(snapshot: MagnumSnapshot, nodegroup: NodegroupSnapshot): Outcome<NodegroupChange> {
  const cluster = clusterReading(snapshot);
  const reading = nodegroupReading(cluster, nodegroup);
  return cluster.faults.outcome({
    name: nodegroup.name,
    role: nodegroupRole(reading),
    size: nodegroupSize(reading),
    nodeLabels: nodeLabels(reading),
    nodeTaints: nodeTaints(reading),
  });
}
