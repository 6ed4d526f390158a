import { type Condition, readConditions } from './condition.ts';
import { countAt, partAt, textAt, timeAt } from './json-part.ts';

/** Label by which the topology marks the objects of a machine deployment with its name, which is the nodegroup's. */
export const nodegroupLabel = 'topology.cluster.x-k8s.io/deployment-name';

/** A KubeadmControlPlane or a MachineDeployment: what makes machines and counts them. */
export interface MachineOwner {
  readonly name: string;
  /** Nodegroup of a MachineDeployment; null where it has none. */
  readonly nodegroup: string | null;
  readonly created: number | null;
  readonly isDeleting: boolean;
  readonly generation: number | null;
  readonly observedGeneration: number | null;
  /** Version that its new machines get. */
  readonly version: string | null;
  readonly wanted: number | null;
  /** Machines there are by their stage. A field that is missing counts as 0: it is set with the first machine. */
  readonly existing: number;
  readonly upToDate: number;
  readonly ready: number;
  readonly available: number;
  readonly conditions: readonly Condition[];
}

export function readControlPlane(object: unknown): MachineOwner | null {
  if (typeof object !== 'object' || object === null) return null;
  return { ...readOwner(object), version: textAt(object, 'spec', 'version') };
}

export function readMachineDeployment(object: unknown): MachineOwner {
  const owner = readOwner(object);
  return {
    ...owner,
    version: textAt(object, 'spec', 'template', 'spec', 'version'),
    upToDate: Math.min(owner.upToDate, newestReplicas(object) ?? owner.upToDate),
  };
}

/**
 * Machines of the newest MachineSet. `upToDateReplicas` sums what the machines say of themselves, which is stale for a moment
 * after a change that starts a rollout; this number is not (machinedeployment_sync.go). Gone once v1beta1 is.
 */
function newestReplicas(object: unknown): number | null {
  return countAt(object, 'status', 'deprecated', 'v1beta1', 'updatedReplicas');
}

function readOwner(object: unknown): Omit<MachineOwner, 'version'> {
  const status = partAt(object, 'status');
  return {
    name: textAt(object, 'metadata', 'name') ?? '',
    nodegroup: textAt(object, 'metadata', 'labels', nodegroupLabel),
    created: timeAt(object, 'metadata', 'creationTimestamp'),
    isDeleting: textAt(object, 'metadata', 'deletionTimestamp') !== null,
    generation: countAt(object, 'metadata', 'generation'),
    observedGeneration: countAt(status, 'observedGeneration'),
    wanted: countAt(object, 'spec', 'replicas'),
    existing: countAt(status, 'replicas') ?? 0,
    upToDate: countAt(status, 'upToDateReplicas') ?? 0,
    ready: countAt(status, 'readyReplicas') ?? 0,
    available: countAt(status, 'availableReplicas') ?? 0,
    conditions: readConditions(object),
  };
}
