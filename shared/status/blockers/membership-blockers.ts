import { sentence } from '../reason/sentence.ts';
import type { MachineView } from '../views/machine-view.ts';
import { type MachineTarget, machineBlocker } from './machine-blockers.ts';

/** Machines that a sentence names. */
const maximumNamed = 2;

/** The machines of a control plane or nodegroup, and what they are to become. */
export interface Membership extends MachineTarget {
  /** Begins the sentence, e.g. `Nodegroup default-worker`. */
  readonly subject: string;
  readonly members: readonly MachineView[];
  /** Machines; null = not known. */
  readonly replicas: number | null;
}

/** How far the machines are, in one sentence; none = all are there and as they should be, and no other is. */
export function membershipBlockers(membership: Membership): string[] {
  const { subject, members, replicas } = membership;
  const details = machineDetails(membership);
  if (details.length === 0 && (replicas === null || members.length === replicas)) return [];
  return [sentence(`${subject} ${counted(membership, members.length - details.length)}`, named(details))];
}

/** What keeps each machine; those that are on their way to the version come before those that it is to replace. */
export function machineDetails({ members, ...target }: Pick<Membership, 'members' | keyof MachineTarget>): string[] {
  const isOld = ({ version }: MachineView) => version !== target.version;
  return members
    .toSorted((one, other) => Number(isOld(one)) - Number(isOld(other)))
    .flatMap((machine) => machineBlocker(machine, target) ?? []);
}

/** The details as one text; '' where there are none. */
export function named(details: readonly string[]): string {
  const more = details.length - maximumNamed;
  const text = details.slice(0, maximumNamed).join('; ');
  return more > 0 ? `${text}; and ${more} more` : text;
}

function counted({ members, replicas, version }: Membership, ready: number): string {
  if (replicas === null || (ready >= replicas && members.length > replicas)) {
    return `has ${members.length} machines and is to have ${replicas ?? 'another number'}`;
  }
  const isUpgraded = members.some((machine) => machine.version !== version);
  return `has ${ready} of ${replicas} machines ready${isUpgraded && version !== null ? ` with ${version}` : ''}`;
}
