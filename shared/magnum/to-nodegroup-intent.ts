import type { NodegroupIntent } from './cluster-intent.ts';
import { isMaster } from './intent/control-plane.ts';
import { isDeleting, nameSubject, nodegroupIntent } from './intent/nodegroup.ts';
import type { Outcome } from './reading/fault-list.ts';
import { clusterReading, nodegroupReading } from './reading/snapshot-reading.ts';
import type { MagnumSnapshot, NodegroupSnapshot } from './snapshot.ts';

/**
 * What a request asks of one worker nodegroup, or all its faults at once; of the cluster only what the nodegroup takes
 * from it is read. A nodegroup counts as new while its status is CREATE_IN_PROGRESS, else it exists as in
 * `toClusterIntent`. Never called when it is deleted.
 */
export function toNodegroupIntent(snapshot: MagnumSnapshot, nodegroup: NodegroupSnapshot): Outcome<NodegroupIntent> {
  const reading = clusterReading(snapshot);
  const { name, uuid } = nodegroup;
  const isTaken = snapshot.nodegroups.some(
    (other) => other.name === name && other.uuid !== uuid && !isMaster(other) && !isDeleting(other),
  );
  if (isTaken) reading.faults.add(nameSubject(name), ': two nodegroups have this name');
  return reading.faults.outcome(nodegroupIntent(nodegroupReading(reading, nodegroup)));
}
