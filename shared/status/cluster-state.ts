import type { Observed, ObservedAddons, ObservedCleanUp } from './observed.ts';
import type { ObservedRotation } from './rotation.ts';
import { type CloudConfigView, readCloudConfig } from './views/cloud-config-view.ts';
import { type CloudObject, readCloudObject } from './views/cloud-object.ts';
import { type ClusterView, readCluster } from './views/cluster-view.ts';
import { type EventView, readEvent } from './views/event-view.ts';
import { type MachineOwner, readControlPlane, readMachineDeployment } from './views/machine-owner.ts';
import { type MachineView, readMachine } from './views/machine-view.ts';

/** `Observed` as the rules read it. As there, undefined = not read. */
export interface ClusterState {
  readonly stackId: string;
  readonly cluster: ClusterView | null;
  readonly controlPlane: MachineOwner | null | undefined;
  readonly machineDeployments: readonly MachineOwner[];
  readonly machines: readonly MachineView[];
  readonly openStackCluster: CloudObject | null | undefined;
  readonly openStackServers: readonly CloudObject[] | undefined;
  readonly openStackMachines: readonly CloudObject[] | undefined;
  readonly events: readonly EventView[] | undefined;
  readonly serverFaults: Readonly<Record<string, string>> | undefined;
  readonly addons: ObservedAddons | null | undefined;
  readonly cloudConfig: CloudConfigView | null | undefined;
  readonly cleanUp: ObservedCleanUp | undefined;
  readonly rotation: ObservedRotation | undefined;
}

export function readState(observed: Observed): ClusterState {
  const { openStackCluster, cloudConfig } = observed;
  return {
    stackId: observed.stackId,
    cluster: readCluster(observed.cluster),
    controlPlane: observed.controlPlane === undefined ? undefined : readControlPlane(observed.controlPlane),
    machineDeployments: list(observed.machineDeployments).map(readMachineDeployment),
    machines: list(observed.machines).map(readMachine),
    openStackCluster: isSet(openStackCluster) ? readCloudObject(openStackCluster) : openStackCluster,
    openStackServers: optionalList(observed.openStackServers)?.map(readCloudObject),
    openStackMachines: optionalList(observed.openStackMachines)?.map(readCloudObject),
    events: optionalList(observed.events)?.map(readEvent),
    serverFaults: observed.serverFaults,
    addons: observed.addons,
    cloudConfig: isSet(cloudConfig) ? readCloudConfig(cloudConfig) : cloudConfig,
    cleanUp: observed.cleanUp,
    rotation: observed.rotation,
  };
}

function isSet<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

function optionalList(value: readonly unknown[] | undefined): readonly unknown[] | undefined {
  return value === undefined ? undefined : list(value);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
