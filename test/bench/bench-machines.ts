import type { CustomObject } from '../../shared/kubernetes/kubernetes-object.ts';
import { clusterNameLabel } from '../../shared/render/metadata.ts';
import type { BenchCluster } from './bench-cluster.ts';
import { conditions, infrastructure, metadataOf } from './object-parts.ts';

/** What the plain example asks for. */
const version = 'v1.33.4';
export const exampleNodegroup = 'default-worker';

/** Names as Cluster API makes them, the same for each cluster after its stack id. */
export const names = {
  controlPlane: (stackId: string) => `${stackId}-7j4lv`,
  machineDeployment: (stackId: string, nodegroup: string) => `${stackId}-${nodegroup}-j5g8x`,
  master: (stackId: string) => `${stackId}-7j4lv-rcslw`,
  worker: (stackId: string, nodegroup: string) => `${stackId}-${nodegroup}-j5g8x-sqch6-kczmj`,
} as const;

const nodegroupLabel = 'topology.cluster.x-k8s.io/deployment-name';

export function controlPlane({ stackId }: BenchCluster): CustomObject {
  return {
    metadata: metadataOf(stackId, names.controlPlane(stackId)),
    spec: {
      version,
      replicas: 1,
      machineTemplate: { spec: { infrastructureRef: infrastructure('OpenStackMachineTemplate', stackId) } },
      kubeadmConfigSpec: { format: 'cloud-config' },
    },
    status: ownerStatus(true),
  };
}

export function machineDeployment({ stackId: clusterName, state }: BenchCluster, nodegroup: string): CustomObject {
  const name = names.machineDeployment(clusterName, nodegroup);
  const labels = { [clusterNameLabel]: clusterName, [nodegroupLabel]: nodegroup };
  const configRef = {
    apiGroup: 'bootstrap.cluster.x-k8s.io',
    kind: 'KubeadmConfigTemplate',
    name,
  };
  return {
    metadata: metadataOf(clusterName, name, labels),
    spec: {
      clusterName,
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          clusterName,
          version,
          bootstrap: { configRef },
          infrastructureRef: infrastructure('OpenStackMachineTemplate', clusterName),
        },
      },
    },
    status: ownerStatus(state === 'complete'),
  };
}

export interface MachinePlace {
  readonly name: string;
  readonly role: 'master' | 'worker';
  /** Of a worker. @default the example's one */
  readonly nodegroup?: string;
}

/** A machine; a worker of a cluster that is not complete has no server yet. */
export function machine({ stackId: clusterName, state }: BenchCluster, place: MachinePlace): CustomObject {
  const { name, role, nodegroup = exampleNodegroup } = place;
  const isUp = role === 'master' || state === 'complete';
  const roleLabels = role === 'master' ? { 'cluster.x-k8s.io/control-plane': '' } : { [nodegroupLabel]: nodegroup };
  return {
    metadata: metadataOf(clusterName, name, roleLabels),
    spec: {
      clusterName,
      version,
      bootstrap: { dataSecretName: name },
      infrastructureRef: infrastructure('OpenStackMachine', name),
      providerID: `openstack:///${name}`,
    },
    status: {
      conditions: conditions({
        Available: isUp,
        Ready: isUp,
        UpToDate: true,
        BootstrapConfigReady: true,
        InfrastructureReady: isUp,
        NodeReady: isUp,
        NodeHealthy: isUp,
        Deleting: false,
        Paused: false,
        Updating: false,
      }),
      ...(isUp ? { addresses: addresses('10.0.0.5'), nodeInfo: nodeInfo(version) } : {}),
      phase: isUp ? 'Running' : 'Provisioning',
    },
  };
}

export function addresses(address: string) {
  return [{ type: 'InternalIP', address }];
}

function nodeInfo(kubeletVersion: string) {
  return {
    architecture: 'amd64',
    bootID: 'b',
    containerRuntimeVersion: 'containerd://2.1.4',
    kernelVersion: '6.8.0',
    kubeProxyVersion: kubeletVersion,
    kubeletVersion,
    machineID: 'm',
    operatingSystem: 'linux',
    osImage: 'Ubuntu 24.04',
    systemUUID: 's',
  };
}

function ownerStatus(isUp: boolean) {
  const up = isUp ? 1 : 0;
  return {
    observedGeneration: 1,
    replicas: 1,
    readyReplicas: up,
    availableReplicas: up,
    upToDateReplicas: 1,
    conditions: conditions({
      Available: isUp,
      MachinesReady: isUp,
      MachinesUpToDate: true,
      RollingOut: false,
      ScalingUp: !isUp,
      ScalingDown: false,
      Remediating: false,
      Deleting: false,
      Paused: false,
    }),
  };
}
