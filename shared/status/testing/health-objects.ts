import type { CustomObject } from '../../kubernetes/kubernetes-object.ts';
import { nodegroupLabel } from '../views/machine-owner.ts';

export type Conditions = Readonly<Record<string, 'True' | 'False' | 'Unknown'>>;

const inService: Conditions = {
  ControlPlaneInitialized: 'True',
  RemoteConnectionProbe: 'True',
  ControlPlaneAvailable: 'True',
};

interface ClusterChanges {
  readonly name?: string;
  /** UUID of the Magnum cluster. */
  readonly uuid?: string;
  readonly deletionTimestamp?: string;
  /** Machines that its control plane should have. */
  readonly masters?: number;
  /** Machine deployments of its topology with their machines; null = the autoscaler decides. @default none */
  readonly workers?: Readonly<Record<string, number | null>>;
  readonly controlPlaneEndpoint?: { readonly host: string; readonly port: number };
}

/** A Cluster in service but for these conditions. */
export function observedCluster(conditions: Conditions = {}, changes: ClusterChanges = {}): CustomObject {
  const { name = 'kube-abcde', uuid = '21d56b0e-dd80-41ec-b63e-d6fad0deca84', masters = 1, ...rest } = changes;
  const { controlPlaneEndpoint, workers = {}, ...metadata } = rest;
  const machineDeployments = Object.entries(workers).map(([group, replicas]) => ({
    name: group,
    ...(replicas !== null && { replicas }),
  }));
  return {
    metadata: { name, labels: { 'cluster-uuid': uuid }, ...metadata },
    spec: { controlPlaneEndpoint, topology: { workers: { machineDeployments } } },
    status: { ...statusOf({ ...inService, ...conditions }), controlPlane: { desiredReplicas: masters } },
  };
}

interface MachineChanges {
  readonly cluster?: string;
  readonly role?: 'master' | 'worker';
  /** Machine deployment of the topology that it belongs to. @default none */
  readonly nodegroup?: string;
  readonly deletionTimestamp?: string;
}

/** A Machine whose infrastructure machine has its name with `-infra`, and whose Node is healthy or not. */
export function observedMachine(
  name: string,
  healthy: 'True' | 'False' | 'Unknown' = 'True',
  changes: MachineChanges = {},
): CustomObject {
  const { cluster = 'kube-abcde', role = 'worker', nodegroup, ...metadata } = changes;
  const labels: Record<string, string> = {
    'cluster.x-k8s.io/cluster-name': cluster,
    ...(role === 'master' && { 'cluster.x-k8s.io/control-plane': '' }),
    ...(nodegroup !== undefined && { [nodegroupLabel]: nodegroup }),
  };
  return {
    metadata: { name, labels, ...metadata },
    spec: { infrastructureRef: { kind: 'OpenStackMachine', name: `${name}-infra` } },
    status: statusOf({ NodeHealthy: healthy, NodeReady: healthy }),
  };
}

export function statusOf(conditions: Conditions) {
  return { conditions: Object.entries(conditions).map(([type, status]) => ({ type, status, reason: 'Any' })) };
}
