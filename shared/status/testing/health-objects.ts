import type { CustomObject } from '../../kubernetes/kubernetes-object.ts';

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
  readonly controlPlaneEndpoint?: { readonly host: string; readonly port: number };
}

/** A Cluster in service but for these conditions. */
export function observedCluster(conditions: Conditions = {}, changes: ClusterChanges = {}): CustomObject {
  const { name = 'kube-abcde', uuid = '21d56b0e-dd80-41ec-b63e-d6fad0deca84', masters = 1, ...rest } = changes;
  const { controlPlaneEndpoint, ...metadata } = rest;
  return {
    metadata: { name, labels: { 'cluster-uuid': uuid }, ...metadata },
    spec: { controlPlaneEndpoint },
    status: { ...statusOf({ ...inService, ...conditions }), controlPlane: { desiredReplicas: masters } },
  };
}

interface MachineChanges {
  readonly cluster?: string;
  readonly role?: 'master' | 'worker';
  readonly deletionTimestamp?: string;
}

/** A Machine whose infrastructure machine has its name with `-infra`, and whose Node is healthy or not. */
export function observedMachine(
  name: string,
  healthy: 'True' | 'False' | 'Unknown' = 'True',
  changes: MachineChanges = {},
): CustomObject {
  const { cluster = 'kube-abcde', role = 'worker', ...metadata } = changes;
  const controlPlane: Record<string, string> = role === 'master' ? { 'cluster.x-k8s.io/control-plane': '' } : {};
  return {
    metadata: { name, labels: { 'cluster.x-k8s.io/cluster-name': cluster, ...controlPlane }, ...metadata },
    spec: { infrastructureRef: { kind: 'OpenStackMachine', name: `${name}-infra` } },
    status: statusOf({ NodeHealthy: healthy, NodeReady: healthy }),
  };
}

export function statusOf(conditions: Conditions) {
  return { conditions: Object.entries(conditions).map(([type, status]) => ({ type, status, reason: 'Any' })) };
}
