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

/** What keeps a control plane or machine deployment from being what the topology wants. */
export function ownerBlockers(owner: MachineOwner, target: OwnerTarget): string[] {
  const { subject, version, replicas } = target;
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
  return [...countBlockers(owner, subject, replicas), ...activityBlockers(owner, subject)];
}

function countBlockers(owner: MachineOwner, subject: string, replicas: number): string[] {
  const { existing, upToDate, ready, available } = owner;
  if ([existing, upToDate, ready, available].every((number) => number === replicas)) return [];
  const details = `${existing} exist, ${upToDate} up to date, ${ready} ready, ${available} available`;
  return [sentence(`${subject} is to have ${count(replicas)}`, details)];
}

function activityBlockers({ conditions }: MachineOwner, subject: string): string[] {
  const activity = activities.find((type) => isConditionTrue(conditions, type));
  return activity === undefined ? [] : [because(subject, conditionOf(conditions, activity))];
}

function count(replicas: number | null): string {
  return replicas === 1 ? '1 machine' : `${replicas ?? 'some'} machines`;
}
