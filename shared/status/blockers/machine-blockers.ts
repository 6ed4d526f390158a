import { machineSubject } from '../reason/machine-subject.ts';
import { because, sentence, tellOf } from '../reason/sentence.ts';
import { type Condition, conditionOf, isConditionTrue } from '../views/condition.ts';
import type { MachineView } from '../views/machine-view.ts';

/** In the order in which a machine gets there, with what it waits for where the condition does not say. */
const stages = [
  ['BootstrapConfigReady', 'waiting for its bootstrap data'],
  ['InfrastructureReady', 'waiting for its server'],
  ['NodeReady', 'waiting for its node'],
  ['NodeHealthy', 'waiting for its node'],
] as const;

/** The first thing that keeps a machine from being a healthy node of the version; none = it is one. */
export function machineBlockers(machine: MachineView, version: string | null): string[] {
  const subject = machineSubject(machine);
  const { conditions, kubeletVersion } = machine;
  if (machine.isDeleting) return [because(`${subject} is being deleted`, deletion(machine))];
  if (machine.version !== version) {
    return [sentence(`${subject} has version ${machine.version ?? 'unknown'} and is to have ${version ?? 'another'}`)];
  }
  const stage = stages.find(([type]) => !isConditionTrue(conditions, type));
  if (stage !== undefined) return [sentence(`${subject} is not ready`, waitingFor(conditions, stage))];
  const upToDate = conditionOf(conditions, 'UpToDate');
  if (upToDate?.status === 'False') return [because(`${subject} is not up to date`, upToDate)];
  if (kubeletVersion === null || release(kubeletVersion) === release(version ?? '')) return [];
  return [sentence(`${subject} runs kubelet ${kubeletVersion} and is to run ${version}`)];
}

/** CAPO 0.14 leaves its own reason as it was when it began to wait for the server (openstackmachine_controller.go). */
function waitingFor(conditions: readonly Condition[], [type, otherwise]: (typeof stages)[number]): string {
  const condition = conditionOf(conditions, type);
  if (condition === undefined || (type === 'InfrastructureReady' && condition.reason === 'WaitingForBootstrapData')) {
    return otherwise;
  }
  const told = tellOf(condition);
  return told === '' ? otherwise : told;
}

/** What deleting a machine waits for, such as a drain; undefined before Cluster API has begun. */
export function deletion({ conditions }: MachineView): Condition | undefined {
  return conditions.find(({ type, status }) => type === 'Deleting' && status === 'True');
}

/** The version without the build metadata that a distribution appends. */
function release(version: string): string {
  return version.replace(/^v/, '').replace(/\+.*$/, '');
}
