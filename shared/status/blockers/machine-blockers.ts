import { type Said, toldOf } from '../reason/sentence.ts';
import type { CloudObject } from '../views/cloud-object.ts';
import { type Condition, conditionOf, isConditionTrue } from '../views/condition.ts';
import type { MachineView } from '../views/machine-view.ts';

/** In the order in which a machine gets there, with what it waits for where the condition does not say. */
const stages = [
  ['BootstrapConfigReady', 'waiting for its bootstrap data'],
  ['InfrastructureReady', 'waiting for its server'],
  ['NodeReady', 'waiting for its node'],
  ['NodeHealthy', 'waiting for its node'],
] as const;

/** What machines are to become. */
export interface MachineTarget {
  readonly version: string | null;
  /** The servers of the cluster, where they were read. */
  readonly servers: readonly CloudObject[] | undefined;
}

/**
 * The first thing that keeps a machine from being a healthy node of the version, as a part of a sentence, e.g. `machine x is
 * waiting for its server`; null = it is one.
 */
export function machineBlocker(machine: MachineView, { version, servers }: MachineTarget): string | null {
  const subject = `machine ${machine.name}`;
  const { conditions, kubeletVersion } = machine;
  if (machine.isDeleting) return `${subject} is being deleted${appended(deletion(machine))}`;
  if (machine.version !== version) {
    return `${subject} has version ${machine.version ?? 'unknown'} and is to have ${version ?? 'another'}`;
  }
  const stage = stages.find(([type]) => !isConditionTrue(conditions, type));
  if (stage !== undefined) return `${subject} is ${waitingFor(machine, stage, servers)}`;
  const upToDate = conditionOf(conditions, 'UpToDate');
  if (upToDate?.status === 'False') return `${subject} is not up to date${appended(upToDate)}`;
  if (kubeletVersion === null || release(kubeletVersion) === release(version ?? '')) return null;
  return `${subject} runs kubelet ${kubeletVersion} and is to run ${version}`;
}

function waitingFor(
  machine: MachineView,
  [type, otherwise]: (typeof stages)[number],
  servers: MachineTarget['servers'],
): string {
  const told = toldOfStage(machine, type);
  if (told !== '') return told.startsWith('waiting ') ? told : `not ready (${told})`;
  const state = servers?.find(({ name }) => name === machine.infrastructureName)?.instanceState;
  if (type !== 'InfrastructureReady') return otherwise;
  if (state === 'ERROR') return 'without its server, which failed';
  return state === 'BUILD' ? `${otherwise}, which is in state BUILD` : otherwise;
}

/** Of a node that is yet to come: the first one is it that initializes the control plane. */
const uninitialized = 'waiting for Cluster control plane to be initialized';

/** What the condition says, where that is more than what the stage is. */
function toldOfStage({ conditions }: MachineView, type: (typeof stages)[number][0]): string {
  const condition = conditionOf(conditions, type);
  if (condition === undefined) return '';
  // CAPO 0.14 leaves its own reason as it was when it began to wait for the server (openstackmachine_controller.go).
  if (type === 'InfrastructureReady' && condition.reason === 'WaitingForBootstrapData') return '';
  const told = toldOf(condition);
  return told === uninitialized && type !== 'BootstrapConfigReady' ? '' : told;
}

/** What a condition says, behind a clause. */
function appended(condition: Said | undefined): string {
  const told = condition === undefined ? '' : toldOf(condition);
  if (told === '') return '';
  return told.startsWith('waiting ') ? `, ${told}` : ` (${told})`;
}

/** What deleting a machine waits for, such as a drain; undefined before Cluster API has begun. */
export function deletion({ conditions }: MachineView): Condition | undefined {
  return conditions.find(({ type, status }) => type === 'Deleting' && status === 'True');
}

/** The version without the build metadata that a distribution appends. */
function release(version: string): string {
  return version.replace(/^v/, '').replace(/\+.*$/, '');
}
