import { because, sentence } from '../reason/sentence.ts';
import { conditionOf, isConditionTrue } from '../views/condition.ts';
import type { MachineOwner } from '../views/machine-owner.ts';

/** What a KubeadmControlPlane or a MachineDeployment is to become. */
export interface OwnerTarget {
  /** Begins each sentence, e.g. `Nodegroup default-worker`. */
  readonly subject: string;
  readonly version: string | null;
  /** Machines; null = not known. */
  readonly replicas: number | null;
}

const activities = ['RollingOut', 'ScalingUp', 'ScalingDown', 'Remediating'] as const;

/** What keeps a control plane or machine deployment from having begun with what the topology wants. */
export function beginningBlockers(owner: MachineOwner, { subject, version, replicas }: OwnerTarget): string[] {
  if (owner.isDeleting) return [sentence(`${subject} is being deleted`)];
  if (owner.generation === null || owner.observedGeneration !== owner.generation) {
    return [sentence(`${subject} has a change that Cluster API has not looked at yet`)];
  }
  if (version === null || owner.version !== version) {
    return [sentence(`${subject} has version ${owner.version ?? 'unknown'} and is to have ${version ?? 'another'}`)];
  }
  if (replicas === null || owner.wanted !== replicas) {
    return [sentence(`${subject} is to have ${count(replicas)}, and Cluster API does not know it yet`)];
  }
  return [];
}

/** What Cluster API still says of it when its machines are as they should be: it may have looked at them before. */
export function endBlockers(owner: MachineOwner, { subject, replicas }: OwnerTarget): string[] {
  const { existing, upToDate, ready, available } = owner;
  const activity = activities.find((type) => isConditionTrue(owner.conditions, type));
  if (activity !== undefined) return [because(subject, conditionOf(owner.conditions, activity))];
  if ([existing, upToDate, ready, available].every((number) => number === replicas)) return [];
  const details = `${existing} exist, ${upToDate} up to date, ${ready} ready, ${available} available`;
  return [sentence(`${subject} is to have ${count(replicas)}`, details)];
}

function count(replicas: number | null): string {
  return replicas === 1 ? '1 machine' : `${replicas ?? 'some'} machines`;
}
