import type { MachineDeploymentTopology } from '../render/machine-deployment.ts';
import { escapePointer } from './json-pointer.ts';
import type { JsonPatchOperation } from './kubernetes-object.ts';
import type { LiveCluster } from './live-cluster.ts';
import { type OperationRecord, recordAnnotation } from './operation-record.ts';

const workersPath = '/spec/topology/workers';

/** Adds an entry to the Cluster's machine deployments; the lists above it may not exist yet. */
export function addMachineDeployment(cluster: LiveCluster, entry: MachineDeploymentTopology): JsonPatchOperation {
  const { workers } = cluster.spec.topology;
  if (workers === undefined) return { op: 'add', path: workersPath, value: { machineDeployments: [entry] } };
  if (workers.machineDeployments === undefined) {
    return { op: 'add', path: `${workersPath}/machineDeployments`, value: [entry] };
  }
  return { op: 'add', path: `${workersPath}/machineDeployments/-`, value: entry };
}

/** Writes the record of an operation on the cluster (null) or a nodegroup. */
export function writeRecord(
  cluster: LiveCluster,
  nodegroup: string | null,
  record: OperationRecord,
): JsonPatchOperation {
  const key = recordAnnotation(nodegroup);
  const value = JSON.stringify(record);
  if (cluster.metadata.annotations === undefined) {
    return { op: 'add', path: '/metadata/annotations', value: { [key]: value } };
  }
  return { op: 'add', path: `/metadata/annotations/${escapePointer(key)}`, value };
}
