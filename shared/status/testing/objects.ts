import type { CustomObject } from '../../kubernetes/kubernetes-object.ts';
import { type OperationRecord, recordAnnotation } from '../../kubernetes/operation-record.ts';
import type { Observed } from '../observed.ts';

export const stackId = 'kube-abcde';
export const uuid = '5d12f6fd-a196-4bf0-ae4c-1f639a523a52';
export const now = new Date('2026-01-01T01:00:00Z');
/** A time that many minutes before `now`, as the API server writes it. */
export const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();

type Fields = Readonly<Record<string, unknown>>;

/** Conditions of the v1beta2 form: `True`, or status, reason and message. */
export type Said = Readonly<Record<string, string | readonly [status: string, reason: string, message?: string]>>;

export function conditions(said: Said, observedGeneration = 3): Fields[] {
  return Object.entries(said).map(([type, value]) => {
    const [status, reason, message = ''] = typeof value === 'string' ? [value, type, ''] : value;
    return { type, status, reason, message, observedGeneration, lastTransitionTime: ago(10) };
  });
}

/** A condition of CAPO 0.14. */
export function severe(type: string, reason: string, message: string, severity = 'Error'): Fields {
  return { type, status: 'False', severity, reason, message, lastTransitionTime: ago(5) };
}

export function record(type: string, fields: Partial<OperationRecord> = {}): OperationRecord {
  return { id: `id-${type}`, type, started: ago(30), deadline: ago(-30), completed: null, ...fields };
}

export interface ClusterFields {
  readonly records?: Readonly<Record<string, OperationRecord>>;
  readonly nodegroups?: readonly Fields[];
  readonly said?: Said;
  readonly metadata?: Fields;
  readonly spec?: Fields;
  readonly topology?: Fields;
}

const healthy: Said = {
  Available: 'True',
  ControlPlaneAvailable: 'True',
  ControlPlaneInitialized: 'True',
  InfrastructureReady: 'True',
  TopologyReconciled: 'True',
};

/** A Cluster of one control plane machine and one worker, v1.33.4; the key '' of `records` is the cluster's own. */
export function cluster({ records = {}, nodegroups, said = {}, ...fields }: ClusterFields = {}): CustomObject {
  const annotations = Object.fromEntries(
    Object.entries(records).map(([name, one]) => [recordAnnotation(name === '' ? null : name), JSON.stringify(one)]),
  );
  return {
    metadata: {
      name: stackId,
      namespace: 'magnum-system',
      generation: 3,
      creationTimestamp: ago(60),
      labels: { 'cluster-uuid': uuid },
      annotations,
      ...fields.metadata,
    },
    spec: {
      controlPlaneEndpoint: { host: '203.0.113.7', port: 6443 },
      controlPlaneRef: { kind: 'KubeadmControlPlane', name: `${stackId}-cp` },
      infrastructureRef: { kind: 'OpenStackCluster', name: `${stackId}-infra` },
      topology: {
        classRef: { name: 'magnum-v0.1.0-12345678' },
        version: 'v1.33.4',
        controlPlane: { replicas: 1 },
        workers: {
          machineDeployments: nodegroups ?? [{ class: 'default-worker', name: 'default-worker', replicas: 1 }],
        },
        ...fields.topology,
      },
      ...fields.spec,
    },
    status: { conditions: conditions({ ...healthy, ...said }) },
  };
}

interface OwnerFields {
  readonly replicas?: number;
  readonly version?: string;
  readonly said?: Said;
  readonly metadata?: Fields;
  readonly spec?: Fields;
  readonly status?: Fields;
}

const idle: Said = {
  RollingOut: ['False', 'NotRollingOut'],
  ScalingUp: ['False', 'NotScalingUp'],
  ScalingDown: ['False', 'NotScalingDown'],
  Remediating: ['False', 'NotRemediating'],
};

function ownerStatus(replicas: number, { said = {}, status }: OwnerFields): Fields {
  return {
    observedGeneration: 2,
    replicas,
    readyReplicas: replicas,
    availableReplicas: replicas,
    upToDateReplicas: replicas,
    conditions: conditions({ ...idle, ...said }),
    ...status,
  };
}

export function controlPlane(fields: OwnerFields = {}): CustomObject {
  const { replicas = 1, version = 'v1.33.4' } = fields;
  return {
    metadata: { name: `${stackId}-cp`, generation: 2, creationTimestamp: ago(59), ...fields.metadata },
    spec: { replicas, version, ...fields.spec },
    status: ownerStatus(replicas, fields),
  };
}

export function machineDeployment(nodegroup = 'default-worker', fields: OwnerFields = {}): CustomObject {
  const { replicas = 1, version = 'v1.33.4' } = fields;
  const labels = { 'topology.cluster.x-k8s.io/deployment-name': nodegroup };
  const status = {
    ...ownerStatus(replicas, fields),
    deprecated: { v1beta1: { updatedReplicas: replicas } },
    ...fields.status,
  };
  return {
    metadata: {
      name: `${stackId}-${nodegroup}-x7k2p`,
      generation: 2,
      creationTimestamp: ago(59),
      labels,
      ...fields.metadata,
    },
    spec: { replicas, template: { spec: { version } }, ...fields.spec },
    status,
  };
}

interface MachineFields {
  /** Nodegroup; null = the control plane. */
  readonly nodegroup?: string | null;
  readonly version?: string;
  readonly said?: Said;
  readonly addresses?: readonly Fields[];
  readonly metadata?: Fields;
  readonly status?: Fields;
}

const running: Said = {
  Ready: 'True',
  BootstrapConfigReady: 'True',
  InfrastructureReady: 'True',
  NodeReady: 'True',
  NodeHealthy: 'True',
  UpToDate: 'True',
  Deleting: ['False', 'NotDeleting'],
};

export function machine(name: string, fields: MachineFields = {}): CustomObject {
  const { nodegroup = 'default-worker', version = 'v1.33.4', said = {} } = fields;
  const labels =
    nodegroup === null
      ? { 'cluster.x-k8s.io/control-plane': '' }
      : { 'topology.cluster.x-k8s.io/deployment-name': nodegroup };
  return {
    metadata: { name, creationTimestamp: ago(50), labels, ...fields.metadata },
    spec: { version, infrastructureRef: { kind: 'OpenStackMachine', name } },
    status: {
      nodeInfo: { kubeletVersion: version },
      addresses: fields.addresses ?? [{ type: 'InternalIP', address: `10.0.0.${name.length}` }],
      conditions: conditions({ ...running, ...said }),
      ...fields.status,
    },
  };
}

/** The conditions of a machine that CAPO makes a server for. */
export const provisioning: Said = {
  InfrastructureReady: ['False', 'NotReady', 'OpenStackMachine status.initialization.provisioned is false'],
  NodeReady: ['Unknown', 'InspectionFailed', 'Waiting for OpenStackMachine to report spec.providerID'],
  NodeHealthy: ['Unknown', 'InspectionFailed', 'Waiting for OpenStackMachine to report spec.providerID'],
};

export function openStackServer(name: string, status: Fields): CustomObject {
  return { metadata: { name, labels: { 'cluster.x-k8s.io/cluster-name': stackId } }, status };
}

export const master = machine(`${stackId}-cp-1`, { nodegroup: null });
export const worker = machine(`${stackId}-w-1`);

/** A cluster on which all is well; its create is recorded and open. */
export function observed(changes: Partial<Observed> = {}): Observed {
  return {
    stackId,
    cluster: cluster({ records: { '': record('cluster.create') } }),
    controlPlane: controlPlane(),
    machineDeployments: [machineDeployment()],
    machines: [master, worker],
    addons: null,
    ...changes,
  };
}
