import type { CustomObject, KubernetesObject } from '../../shared/kubernetes/kubernetes-object.ts';
import { type OperationRecord, recordAnnotation } from '../../shared/kubernetes/operation-record.ts';
import { type ResourceType, resources } from '../../shared/kubernetes/resources.ts';
import type { ClusterIntent } from '../../shared/magnum/cluster-intent.ts';
import { cluster as renderCluster } from '../../shared/render/cluster.ts';
import { clusterNameLabel, clusterUuidLabel, managementNamespace } from '../../shared/render/metadata.ts';
import { stackNames } from '../../shared/render/stack-names.ts';
import { makeClusterCertificates } from '../functions/cluster-certificates.ts';
import { factsFor, intentOf, readExampleData } from './example-intent.ts';

export interface BenchCluster {
  readonly stackId: string;
  readonly uuid: string;
  readonly operation: OperationRecord;
  /**
   * `complete`: all is as wanted. `rolling`: the control plane is up, the worker waits for its server. `failing`: as before,
   * and the infrastructure of the cluster is not ready either.
   */
  readonly state: 'complete' | 'rolling' | 'failing';
}

/** An object as Cluster API would have written it; its status is written after it. */
export interface BenchObject {
  readonly type: ResourceType<KubernetesObject>;
  readonly object: CustomObject;
}

/** Nodegroup of the example, and what Cluster API puts after its name. */
const nodegroup = 'default-worker';
const names = {
  controlPlane: (stackId: string) => `${stackId}-7j4lv`,
  machineDeployment: (stackId: string) => `${stackId}-${nodegroup}-j5g8x`,
  master: (stackId: string) => `${stackId}-7j4lv-rcslw`,
  worker: (stackId: string) => `${stackId}-${nodegroup}-j5g8x-sqch6-kczmj`,
};
export const masterName = names.master;

/** Makes clusters of one control plane machine and one worker from the plain example. */
export async function clusterMaker(): Promise<(cluster: BenchCluster) => readonly BenchObject[]> {
  const data = await readExampleData('cluster-create-plain.json');
  const nodegroups = data.nodegroups.map((group) => ({ ...group, node_count: 1 }));
  const intent = intentOf({ ...data, nodegroups }, await makeClusterCertificates('bench'));
  return (cluster) => [
    { type: resources.secret, object: cloudConfig(cluster) },
    { type: resources.cluster, object: clusterObject(cluster, intent) },
    { type: resources.kubeadmControlPlane, object: controlPlane(cluster, intent) },
    { type: resources.machineDeployment, object: machineDeployment(cluster, intent) },
    { type: resources.machine, object: machine(cluster, { name: names.master(cluster.stackId), role: 'master' }) },
    { type: resources.machine, object: machine(cluster, { name: names.worker(cluster.stackId), role: 'worker' }) },
  ];
}

function clusterObject({ stackId, uuid, operation, state }: BenchCluster, intent: ClusterIntent): CustomObject {
  const annotations = { [recordAnnotation(null)]: JSON.stringify(operation) };
  const serverGroups = { controlPlane: 'group', workers: {} };
  const facts = factsFor(intent);
  const { metadata, spec } = renderCluster({
    stackId,
    className: 'magnum-bench',
    intent: { ...intent, uuid },
    facts,
    serverGroups,
    annotations,
    live: null,
  });
  return {
    metadata,
    spec: {
      ...spec,
      controlPlaneEndpoint: { host: '203.0.113.7', port: 6443 },
      controlPlaneRef: {
        apiGroup: 'controlplane.cluster.x-k8s.io',
        kind: 'KubeadmControlPlane',
        name: names.controlPlane(stackId),
      },
      infrastructureRef: infrastructure('OpenStackCluster', stackId),
    },
    status: {
      conditions: conditions({
        Available: state !== 'failing',
        RemoteConnectionProbe: true,
        InfrastructureReady: state !== 'failing',
        ControlPlaneInitialized: true,
        ControlPlaneAvailable: true,
        ControlPlaneMachinesReady: true,
        ControlPlaneMachinesUpToDate: true,
        WorkersAvailable: state === 'complete',
        WorkerMachinesReady: state === 'complete',
        WorkerMachinesUpToDate: true,
        Remediating: false,
        ScalingUp: state !== 'complete',
        ScalingDown: false,
        RollingOut: false,
        Deleting: false,
        Paused: false,
        TopologyReconciled: state === 'complete',
      }),
      controlPlane: { desiredReplicas: 1, replicas: 1, readyReplicas: 1, availableReplicas: 1, upToDateReplicas: 1 },
      phase: 'Provisioned',
    },
  };
}

function controlPlane(cluster: BenchCluster, { kubernetesVersion: version }: ClusterIntent): CustomObject {
  const { stackId } = cluster;
  return {
    metadata: metadataOf(cluster, names.controlPlane(stackId)),
    spec: {
      version,
      replicas: 1,
      machineTemplate: { spec: { infrastructureRef: infrastructure('OpenStackMachineTemplate', stackId) } },
      kubeadmConfigSpec: { format: 'cloud-config' },
    },
    status: ownerStatus(true),
  };
}

function machineDeployment(cluster: BenchCluster, { kubernetesVersion: version }: ClusterIntent): CustomObject {
  const { stackId: clusterName, state } = cluster;
  const labels = { [clusterNameLabel]: clusterName, [nodegroupLabel]: nodegroup };
  const configRef = {
    apiGroup: 'bootstrap.cluster.x-k8s.io',
    kind: 'KubeadmConfigTemplate',
    name: names.machineDeployment(clusterName),
  };
  return {
    metadata: metadataOf(cluster, names.machineDeployment(clusterName), labels),
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

const nodegroupLabel = 'topology.cluster.x-k8s.io/deployment-name';

export interface MachinePlace {
  readonly name: string;
  readonly role: 'master' | 'worker';
}

/** A machine; a worker of a cluster that is not complete has no server yet. */
export function machine(cluster: BenchCluster, { name, role }: MachinePlace): CustomObject {
  const { stackId: clusterName, state } = cluster;
  const isUp = role === 'master' || state === 'complete';
  const roleLabels = role === 'master' ? { 'cluster.x-k8s.io/control-plane': '' } : { [nodegroupLabel]: nodegroup };
  return {
    metadata: metadataOf(cluster, name, roleLabels),
    spec: {
      clusterName,
      version: 'v1.33.4',
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
      ...(isUp ? { addresses: addresses('10.0.0.5'), nodeInfo: nodeInfo('v1.33.4') } : {}),
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

function cloudConfig({ stackId, uuid }: BenchCluster): CustomObject {
  const labels = { [clusterUuidLabel]: uuid };
  return { metadata: { name: stackNames(stackId).cloudConfig, namespace: managementNamespace, labels } };
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

function metadataOf({ stackId }: BenchCluster, name: string, labels: Readonly<Record<string, string>> = {}) {
  return { name, namespace: managementNamespace, labels: { [clusterNameLabel]: stackId, ...labels } };
}

function infrastructure(kind: string, name: string) {
  return { apiGroup: 'infrastructure.cluster.x-k8s.io', kind, name };
}

/** Reasons as Cluster API writes them, none of which is a fault. */
function conditions(states: Readonly<Record<string, boolean>>) {
  return Object.entries(states).map(([type, isTrue]) => ({
    type,
    status: isTrue ? 'True' : 'False',
    reason: isTrue ? type : `Not${type}`,
    message: isTrue ? '' : `* ${type} of the bench`,
    observedGeneration: 1,
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }));
}
