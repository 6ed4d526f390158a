import type { CustomObject } from '../../../shared/kubernetes/kubernetes-object.ts';
import { openRecord, recordAnnotation } from '../../../shared/kubernetes/operation-record.ts';
import { type ResourceType, resources } from '../../../shared/kubernetes/resources.ts';
import { clusterNameLabel, clusterUuidLabel, managementNamespace } from '../../../shared/render/metadata.ts';

export interface SampleCluster {
  readonly stackId: string;
  readonly uuid: string;
  /** Annotations of the Cluster. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Whether the control plane's machine is up. */
  readonly isReady: boolean;
  readonly className?: string;
}

/** An object that Cluster API would have written, with its type. */
export type Sample = readonly [type: ResourceType, object: CustomObject];

const version = 'v1.34.0';

/** The annotation with an open record of the cluster's creation. */
export function openCreate(id = 'create-1', time = '2026-01-01T00:00:00Z'): Record<string, string> {
  return { [recordAnnotation(null)]: JSON.stringify(openRecord({ id, time }, 'cluster.create', 60)) };
}

/** A cluster of one control plane machine and no nodegroup of workers, in the words of Cluster API v1beta2. */
export function sampleObjects(cluster: SampleCluster): readonly Sample[] {
  return [
    [resources.cluster, clusterObject(cluster)],
    [resources.kubeadmControlPlane, controlPlane(cluster)],
    [resources.machine, machine(cluster)],
  ];
}

function clusterObject({ stackId: name, uuid, annotations, isReady, className = 'a-class' }: SampleCluster) {
  const metadata = { name, namespace: managementNamespace, labels: { [clusterUuidLabel]: uuid } };
  const states = { InfrastructureReady: true, ControlPlaneInitialized: true, ControlPlaneAvailable: isReady };
  return {
    metadata: { ...metadata, generation: 1, ...(annotations === undefined ? {} : { annotations }) },
    spec: {
      topology: { classRef: { name: className }, version, controlPlane: { replicas: 1 } },
      controlPlaneRef: {
        apiGroup: 'controlplane.cluster.x-k8s.io',
        kind: 'KubeadmControlPlane',
        name: `${name}-x7k2p`,
      },
      controlPlaneEndpoint: { host: '192.0.2.10', port: 6443 },
    },
    status: { conditions: conditions({ ...states, TopologyReconciled: true }) },
  };
}

function controlPlane({ stackId, isReady }: SampleCluster) {
  const up = isReady ? 1 : 0;
  return {
    metadata: metadataOf(stackId, `${stackId}-x7k2p`),
    spec: {
      version,
      replicas: 1,
      machineTemplate: {
        spec: { infrastructureRef: { ...infrastructure('OpenStackMachineTemplate'), name: stackId } },
      },
      kubeadmConfigSpec: { format: 'cloud-config' },
    },
    status: { observedGeneration: 1, replicas: 1, upToDateReplicas: 1, readyReplicas: up, availableReplicas: up },
  };
}

function machine({ stackId, isReady }: SampleCluster) {
  const { labels, ...metadata } = metadataOf(stackId, `${stackId}-x7k2p-9jq4v`);
  return {
    metadata: { ...metadata, labels: { ...labels, 'cluster.x-k8s.io/control-plane': '' } },
    spec: {
      clusterName: stackId,
      version,
      bootstrap: { dataSecretName: `${stackId}-x7k2p-9jq4v` },
      infrastructureRef: { ...infrastructure('OpenStackMachine'), name: `${stackId}-x7k2p-9jq4v` },
    },
    status: {
      addresses: [{ type: 'InternalIP', address: '10.0.0.5' }],
      conditions: conditions({
        BootstrapConfigReady: true,
        InfrastructureReady: true,
        NodeReady: isReady,
        NodeHealthy: isReady,
      }),
    },
  };
}

function infrastructure(kind: string) {
  return { apiGroup: 'infrastructure.cluster.x-k8s.io', kind };
}

function metadataOf(stackId: string, name: string) {
  return { name, namespace: managementNamespace, generation: 1, labels: { [clusterNameLabel]: stackId } };
}

function conditions(states: Readonly<Record<string, boolean>>) {
  return Object.entries(states).map(([type, isTrue]) => ({
    type,
    status: isTrue ? 'True' : 'False',
    reason: isTrue ? 'Good' : 'NotYet',
    message: '',
    observedGeneration: 1,
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }));
}
