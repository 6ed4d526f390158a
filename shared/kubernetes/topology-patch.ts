import type { MachineDeploymentTopology } from '../render/machine-deployment.ts';
import { escapePointer } from './json-pointer.ts';
import type { JsonPatchOperation } from './kubernetes-object.ts';
import { findEntry, type LiveCluster } from './live-cluster.ts';
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

/** Changes of one nodegroup's entry, which has to stand where it was read; paths are those within the entry. */
export function changeMachineDeployment(
  { index, name }: { readonly index: number; readonly name: string },
  changes: readonly JsonPatchOperation[],
): JsonPatchOperation[] {
  const path = `${workersPath}/machineDeployments/${index}`;
  return [
    { op: 'test', path: `${path}/name`, value: name },
    ...changes.map((change) => ({ ...change, path: `${path}${change.path}` })),
  ];
}

/** Removes an entry of the Cluster's machine deployments; of the last one the list goes too, since it may not be empty. */
export function removeMachineDeployment(cluster: LiveCluster, name: string): JsonPatchOperation[] {
  const found = findEntry(cluster, name);
  const { workers } = cluster.spec.topology;
  if (found === null || workers === undefined) return [];
  const [test, remove] = changeMachineDeployment({ index: found.index, name }, [{ op: 'remove', path: '' }]);
  if (test === undefined || remove === undefined) return [];
  if (workers.machineDeployments?.length !== 1) return [test, remove];
  const isAlone = Object.keys(workers).length === 1;
  return [test, { op: 'remove', path: isAlone ? workersPath : `${workersPath}/machineDeployments` }];
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
