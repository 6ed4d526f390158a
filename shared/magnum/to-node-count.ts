import { isMaster, masterCount } from './intent/control-plane.ts';
import { fixedReplicas } from './intent/nodegroup-size.ts';
import type { FaultList } from './reading/fault-list.ts';
import { fieldReader } from './reading/field-reader.ts';
import { nodegroupOwner } from './reading/subject.ts';
import type { NodegroupSnapshot } from './snapshot.ts';
import { count } from './syntax/scalar.ts';

export interface NodeCountRequest {
  readonly nodegroup: NodegroupSnapshot;
  /** As the request asks; the row may still have the old one. */
  readonly nodeCount: unknown;
  readonly faults: FaultList;
}

/**
 * The number of nodes that a resize asks of a nodegroup whose size is fixed. Of the row only its limits are read: nothing
 * else of a cluster can stand in the way of a resize. 0 where it is faulty.
 */
export function toNodeCount({ nodegroup, nodeCount, faults }: NodeCountRequest): number {
  const fields = fieldReader({ ...nodegroup, node_count: nodeCount }, nodegroupOwner(nodegroup.name), faults);
  return fixedReplicas({ fields, faults }, fields.read('node_count', isMaster(nodegroup) ? masterCount : count()));
}
