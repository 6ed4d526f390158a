import type {
  Machine,
  MachineSpec,
  OpenStackCluster,
  OpenStackServer,
  Port,
  Reference,
} from './infrastructure-objects.ts';
import { isControlPlane } from './infrastructure-objects.ts';

/** Fields of an OpenStackMachine that its server takes over as they are. */
const takenOver = [
  'additionalBlockDevices',
  'configDrive',
  'flavor',
  'flavorID',
  'floatingIPPoolRef',
  'image',
  'rootVolume',
  'schedulerHintAdditionalProperties',
  'serverGroup',
  'serverMetadata',
] as const;

export interface ServerSpecInput {
  readonly machine: Machine;
  readonly spec: MachineSpec;
  readonly cluster: OpenStackCluster;
}

/** openStackMachineSpecToOpenStackServerSpec of openstackmachine_controller.go. */
export function serverSpec({ machine, spec, cluster }: ServerSpecInput): OpenStackServer['spec'] {
  const fields = takenOver.flatMap((field) => (spec[field] === undefined ? [] : [[field, spec[field]] as const]));
  const tags = [...new Set([...(spec.tags ?? []), ...(cluster.spec.tags ?? [])])];
  const { dataSecretName } = machine.spec.bootstrap ?? {};
  return {
    ...Object.fromEntries(fields),
    image: spec.image,
    identityRef: spec.identityRef ?? cluster.spec.identityRef,
    ports: ports(machine, spec, cluster),
    sshKeyName: spec.sshKeyName ?? '',
    ...(tags.length === 0 ? {} : { tags }),
    ...(spec.trunk === true ? { trunk: true } : {}),
    ...(machine.spec.failureDomain ? { availabilityZone: machine.spec.failureDomain } : {}),
    ...(dataSecretName === undefined ? {} : { userDataRef: { name: dataSecretName } }),
  };
}

function ports(machine: Machine, spec: MachineSpec, cluster: OpenStackCluster): Port[] {
  const networkId = cluster.status?.network?.id;
  const groupId = managedGroup(machine, cluster);
  const fixedIPs = (cluster.spec.subnets ?? []).map((subnet) => ({ subnet }));
  const wanted: readonly Port[] = spec.ports === undefined || spec.ports.length === 0 ? [{}] : spec.ports;
  return wanted.map((port) => {
    const inNetwork = port.network === undefined && networkId !== undefined;
    const securityGroups = groupsOf(port, groupId, spec);
    return {
      ...port,
      ...(inNetwork ? { network: { id: networkId } } : {}),
      ...(inNetwork && fixedIPs.length > 0 ? { fixedIPs } : {}),
      ...(securityGroups.length > 0 ? { securityGroups } : {}),
    };
  });
}

/** The managed group only where the port names none; those of the machine always. */
function groupsOf(port: Port, managed: string | undefined, { securityGroups = [] }: MachineSpec): Reference[] {
  const own = port.securityGroups ?? [];
  const groups = own.length === 0 && managed !== undefined ? [{ id: managed }] : own;
  return [...groups, ...securityGroups];
}

function managedGroup(machine: Machine, { spec, status }: OpenStackCluster): string | undefined {
  if (spec.managedSecurityGroups === undefined) return undefined;
  return isControlPlane(machine) ? status?.controlPlaneSecurityGroup?.id : status?.workerSecurityGroup?.id;
}
