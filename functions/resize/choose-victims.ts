import type { FaultList } from '../../shared/magnum/reading/fault-list.ts';
import { shownName } from '../../shared/magnum/reading/subject.ts';
import { quote } from '../../shared/magnum/syntax/quote.ts';
import { deletionMark, findMachine, type NodeMachine } from './node-machine.ts';

const subject = { code: 'invalid_field', path: 'nodes_to_remove', title: 'Field nodes_to_remove' } as const;

export interface VictimRequest {
  /** Server ids or Machine names. */
  readonly nodes: readonly string[];
  readonly nodegroup: string;
  /** Of the nodegroup at present; null where Cluster API decides. */
  readonly replicas: number | null;
  readonly nodeCount: number;
}

export interface Victims {
  /** Machines that have to bear the mark: those that a user names and that are not on their way out already. */
  readonly chosen: readonly NodeMachine[];
  /**
   * Marked machines of the same nodegroup that would go in the place of the chosen ones: a resize that never came to its end left
   * them, or somebody set the mark by hand. Where there is room for them, as while the machines of the last resize are still to go,
   * they keep it, and so they do where a user names no nodes.
   */
  readonly competing: readonly NodeMachine[];
}

/** Finds the machines that a resize is to remove; what is wrong with them is added to the faults. */
export function chooseVictims(request: VictimRequest, machines: readonly NodeMachine[], faults: FaultList): Victims {
  if (request.nodes.length === 0) return { chosen: [], competing: [] };
  const chosen = namedMachines(request, machines, faults).filter(({ isDeleting }) => !isDeleting);
  const standing = machines.filter(({ nodegroup, isDeleting }) => nodegroup === request.nodegroup && !isDeleting);
  checkNumber(request, { chosen: chosen.length, standing: standing.length }, faults);
  const marked = standing.filter((machine) => isMarked(machine) && !chosen.includes(machine));
  const room = standing.length - request.nodeCount - chosen.length;
  return { chosen, competing: marked.length > room ? marked : [] };
}

export function isMarked({ annotations }: Pick<NodeMachine, 'annotations'>): boolean {
  return annotations?.[deletionMark] !== undefined;
}

function namedMachines(request: VictimRequest, machines: readonly NodeMachine[], faults: FaultList): NodeMachine[] {
  const named = new Set<NodeMachine>();
  for (const node of request.nodes.map((one) => one.trim())) {
    const machine = findMachine(machines, node);
    if (machine === undefined) reportUnknown(request, node, faults);
    else if (machine.nodegroup !== request.nodegroup) faults.add(subject, `: ${belonging(node, machine)}`);
    else if (named.has(machine)) faults.add(subject, `: node ${quote(node)} is named twice`);
    else named.add(machine);
  }
  return [...named];
}

/** Of a request that was carried out before, under another id, the nodes are gone. */
function reportUnknown({ replicas, nodeCount }: VictimRequest, node: string, faults: FaultList): void {
  if (replicas === nodeCount) return;
  faults.add({ ...subject, code: 'not_found' }, `: the cluster has no node with the server id ${quote(node)}`);
}

function belonging(node: string, { nodegroup }: NodeMachine): string {
  return `node ${quote(node)} belongs to ${nodegroup === null ? 'no nodegroup' : `nodegroup ${shownName(nodegroup)}`}`;
}

/** A mark too many would stay, and choose a machine at some later resize that nobody connects with this one. */
function checkNumber(
  { replicas, nodeCount }: VictimRequest,
  count: { readonly chosen: number; readonly standing: number },
  faults: FaultList,
): void {
  const present = replicas ?? count.standing;
  const removed = Math.max(0, Math.min(present, count.standing) - nodeCount);
  if (count.chosen <= removed) return;
  const nodes = count.chosen === 1 ? 'one is named' : `${count.chosen} are named`;
  const removal = removed === 0 ? 'removes no nodes' : `removes only ${removed} of them`;
  faults.add(subject, `: ${nodes}, but the resize from ${present} to ${nodeCount} nodes ${removal}`);
}
