import type { CustomObject, KubernetesObject } from '../../shared/kubernetes/kubernetes-object.ts';
import { type OperationRecord, recordAnnotation } from '../../shared/kubernetes/operation-record.ts';
import { type ResourceType, resources } from '../../shared/kubernetes/resources.ts';
import type { ClusterIntent } from '../../shared/magnum/cluster-intent.ts';
import { cluster as renderCluster } from '../../shared/render/cluster.ts';
import { clusterUuidLabel, managementNamespace } from '../../shared/render/metadata.ts';
import { stackNames } from '../../shared/render/stack-names.ts';
import { makeClusterCertificates } from '../functions/cluster-certificates.ts';
import { controlPlane, exampleNodegroup, machine, machineDeployment, names } from './bench-machines.ts';
import { factsFor, intentOf, nodegroupRows, readExampleData } from './example-intent.ts';
import { conditions, infrastructure } from './object-parts.ts';

export interface BenchCluster {
  readonly stackId: string;
  readonly uuid: string;
  readonly operation: OperationRecord;
  /**
   * `complete`: all is as wanted. `rolling`: the control plane is up, the worker waits for its server. `failing`: as before,
   * and the infrastructure of the cluster is not ready either.
   */
  readonly state: 'complete' | 'rolling' | 'failing';
  /** Names of its workers' nodegroups, of one machine each. @default the example's one */
  readonly nodegroups?: readonly string[];
}

/** An object as Cluster API would have written it; its status is written after it. */
export interface BenchObject {
  readonly type: ResourceType<KubernetesObject>;
  readonly object: CustomObject;
}

/** Makes clusters of one control plane machine, and one of each nodegroup, from the plain example. */
export async function clusterMaker(): Promise<(cluster: BenchCluster) => readonly BenchObject[]> {
  const data = await readExampleData('cluster-create-plain.json');
  const certificates = await makeClusterCertificates('bench');
  const intentFor = onceFor((names) => intentOf({ ...data, nodegroups: nodegroupRows(data, names) }, certificates));
  return (cluster) => {
    const { stackId, nodegroups = [exampleNodegroup] } = cluster;
    const intent = intentFor(nodegroups);
    return [
      { type: resources.secret, object: cloudConfig(cluster) },
      { type: resources.cluster, object: clusterObject(cluster, intent) },
      { type: resources.kubeadmControlPlane, object: controlPlane(cluster) },
      { type: resources.machine, object: machine(cluster, { name: names.master(stackId), role: 'master' }) },
      ...nodegroups.flatMap((nodegroup) => workerObjects(cluster, nodegroup)),
    ];
  };
}

/** Most clusters of a run have the same nodegroups, and an intent takes longer to make than the rest. */
function onceFor(make: (names: readonly string[]) => ClusterIntent): (names: readonly string[]) => ClusterIntent {
  const made = new Map<string, ClusterIntent>();
  return (names) => {
    const key = names.join();
    const intent = made.get(key) ?? make(names);
    made.set(key, intent);
    return intent;
  };
}

function workerObjects(cluster: BenchCluster, nodegroup: string): readonly BenchObject[] {
  const name = names.worker(cluster.stackId, nodegroup);
  return [
    { type: resources.machineDeployment, object: machineDeployment(cluster, nodegroup) },
    { type: resources.machine, object: machine(cluster, { name, role: 'worker', nodegroup }) },
  ];
}

function clusterObject({ stackId, uuid, operation, state }: BenchCluster, intent: ClusterIntent): CustomObject {
  const { metadata, spec } = renderCluster({
    stackId,
    className: 'magnum-bench',
    intent: { ...intent, uuid },
    facts: factsFor(intent),
    serverGroups: { controlPlane: 'group', workers: {} },
    annotations: { [recordAnnotation(null)]: JSON.stringify(operation) },
    live: null,
  });
  const controlPlaneRef = {
    apiGroup: 'controlplane.cluster.x-k8s.io',
    kind: 'KubeadmControlPlane',
    name: names.controlPlane(stackId),
  };
  return {
    metadata,
    spec: {
      ...spec,
      controlPlaneEndpoint: { host: '203.0.113.7', port: 6443 },
      controlPlaneRef,
      infrastructureRef: infrastructure('OpenStackCluster', stackId),
    },
    status: clusterStatus(state),
  };
}

function clusterStatus(state: BenchCluster['state']) {
  const isComplete = state === 'complete';
  return {
    conditions: conditions({
      Available: state !== 'failing',
      RemoteConnectionProbe: true,
      InfrastructureReady: state !== 'failing',
      ControlPlaneInitialized: true,
      ControlPlaneAvailable: true,
      ControlPlaneMachinesReady: true,
      ControlPlaneMachinesUpToDate: true,
      WorkersAvailable: isComplete,
      WorkerMachinesReady: isComplete,
      WorkerMachinesUpToDate: true,
      Remediating: false,
      ScalingUp: !isComplete,
      ScalingDown: false,
      RollingOut: false,
      Deleting: false,
      Paused: false,
      TopologyReconciled: isComplete,
    }),
    controlPlane: { desiredReplicas: 1, replicas: 1, readyReplicas: 1, availableReplicas: 1, upToDateReplicas: 1 },
    phase: 'Provisioned',
  };
}

function cloudConfig({ stackId, uuid }: BenchCluster): CustomObject {
  const labels = { [clusterUuidLabel]: uuid };
  return { metadata: { name: stackNames(stackId).cloudConfig, namespace: managementNamespace, labels } };
}
