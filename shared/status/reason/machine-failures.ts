import type { ClusterState } from '../cluster-state.ts';
import type { CloudObject } from '../views/cloud-object.ts';
import { type Condition, conditionOf, isFault } from '../views/condition.ts';
import { textAt } from '../views/json-part.ts';
import type { MachineView } from '../views/machine-view.ts';
import type { Finding } from './finding.ts';
import { machineSubject } from './machine-subject.ts';
import { plainText, tellOf } from './sentence.ts';

/** The machine's own conditions that can hold a fault; Ready only repeats them, NodeReady is the node's. */
const machineConditions = ['BootstrapConfigReady', 'InfrastructureReady', 'HealthCheckSucceeded', 'OwnerRemediated'];

/** What went wrong with the machines and their servers. */
export function machineFailures(state: ClusterState): Finding[] {
  const servers = state.openStackServers ?? [];
  // What kept a server from coming up is old news once it goes.
  if (state.cluster?.isDeleting === true) return servers.flatMap((server) => removalFindings(state, server));
  return [
    ...servers.flatMap((server) => serverFindings(state, server)),
    ...(state.openStackMachines ?? []).flatMap((machine) => objectFindings(state, machine)),
    ...state.machines.flatMap(conditionFindings),
  ];
}

/**
 * Whether Nova put the server in ERROR and nothing that was read says why. CAPO 0.14 then leaves the message empty, so that
 * only Nova knows (openstackserver_controller.go).
 */
export function lacksFault({ instanceId, instanceState, conditions }: CloudObject): boolean {
  return instanceId !== null && instanceState === 'ERROR' && faults(conditions).every(isMute);
}

function serverFindings(state: ClusterState, server: CloudObject): Finding[] {
  if (machineOf(state, server)?.isDeleting === true) return removalFindings(state, server);
  const findings = lacksFault(server) ? [faultFinding(state, server)] : objectFindings(state, server);
  // CAPO looks at such a server never again (openstackserver_controller.go, reconcileNormal).
  return server.instanceState === 'ERROR' ? findings.map((finding) => ({ ...finding, isFinal: true })) : findings;
}

function faultFinding(state: ClusterState, server: CloudObject): Finding {
  const message = textAt(state.serverFaults, server.name) ?? 'its server is in state ERROR';
  const at = conditionOf(server.conditions, 'InstanceReady')?.since ?? null;
  return found(state, server, { message, at });
}

/** CAPO's reasons for a server that did not come up, or that went by itself. */
const comingReasons = ['InstanceCreateFailed', 'InstanceStateError', 'InstanceNotFound', 'InstanceDeleted'];

function removalFindings(state: ClusterState, server: CloudObject): Finding[] {
  const conditions = server.conditions.filter(({ reason }) => !comingReasons.includes(reason));
  return objectFindings(state, { ...server, conditions, failureMessage: null });
}

function objectFindings(state: ClusterState, object: CloudObject): Finding[] {
  const { conditions, failureMessage } = object;
  const findings = faults(conditions).map((condition) =>
    found(state, object, { message: tellOf(condition), at: condition.since }),
  );
  if (failureMessage === null || findings.some(({ message }) => message === failureMessage)) return findings;
  return [...findings, found(state, object, { message: failureMessage, at: null })];
}

/** Ready sums up the others, so it counts only where it stands alone. */
function faults(conditions: readonly Condition[]): readonly Condition[] {
  const found = conditions.filter(isFault);
  const others = found.filter(({ type }) => type !== 'Ready');
  return others.length > 0 ? others : found;
}

function isMute({ message }: Condition): boolean {
  return plainText(message) === '';
}

function found(state: ClusterState, object: CloudObject, what: Pick<Finding, 'message' | 'at'>): Finding {
  const machine = machineOf(state, object);
  const subject = machine === undefined ? `Server ${object.name}` : machineSubject(machine);
  return { subject, nodegroup: machine?.nodegroup ?? null, ...what };
}

function machineOf({ machines }: ClusterState, { name }: CloudObject): MachineView | undefined {
  return machines.find(({ infrastructureName }) => infrastructureName === name);
}

/** What a machine that goes still says is old news. */
function conditionFindings(machine: MachineView): Finding[] {
  if (machine.isDeleting) return [];
  return machine.conditions
    .filter((condition) => machineConditions.includes(condition.type) && isFault(condition) && !isMute(condition))
    .map(({ message, since }) => ({
      subject: machineSubject(machine),
      message,
      nodegroup: machine.nodegroup,
      at: since,
    }));
}
