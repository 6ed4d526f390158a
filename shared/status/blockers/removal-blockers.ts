import type { ClusterState } from '../cluster-state.ts';
import { machineSubject } from '../reason/machine-subject.ts';
import { because, sentence } from '../reason/sentence.ts';
import type { MachineView } from '../views/machine-view.ts';
import { deletion } from './machine-blockers.ts';

/** Machines that a reason names. */
const maximumNamed = 2;

/** What is left of a nodegroup that goes; the topology is not asked, since its entry went first. */
export function removalBlockers({ machineDeployments, machines }: ClusterState, nodegroup: string): string[] {
  const remaining = machines.filter((machine) => machine.nodegroup === nodegroup);
  if (remaining.length > 0) return machinesRemain(remaining);
  if (!machineDeployments.some((deployment) => deployment.nodegroup === nodegroup)) return [];
  return [sentence(`The MachineDeployment of nodegroup ${nodegroup} is still there`)];
}

/** What is left of a cluster that goes, in the order in which Cluster API takes it down. */
export function clusterRemovalBlockers(state: ClusterState): string[] {
  const { machines, machineDeployments, openStackCluster } = state;
  if (machines.length > 0) return machinesRemain(machines);
  if (machineDeployments.length > 0) return [sentence('The machine deployments of the cluster are still there')];
  if (openStackCluster === null || openStackCluster === undefined) return ['The Cluster is still there.'];
  return ['The infrastructure of the cluster is still there.'];
}

/** Those of which Cluster API says what they wait for come first. */
function machinesRemain(machines: readonly MachineView[]): string[] {
  const isToldOf = (machine: MachineView) => deletion(machine) !== undefined;
  const sorted = machines.toSorted((one, other) => Number(isToldOf(other)) - Number(isToldOf(one)));
  const more = machines.length - maximumNamed;
  const rest = more > 0 ? [sentence(`${more} more ${more === 1 ? 'machine is' : 'machines are'} still there`)] : [];
  return [...sorted.slice(0, maximumNamed).map(remains), ...rest];
}

function remains(machine: MachineView): string {
  return because(`${machineSubject(machine)} is still there`, deletion(machine));
}
