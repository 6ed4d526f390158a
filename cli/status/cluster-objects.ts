import type { KubernetesClient } from '../../shared/kubernetes/client.ts';
import { KubernetesError, UnavailableError } from '../../shared/kubernetes/errors.ts';
import type { CustomObject, KubernetesObject } from '../../shared/kubernetes/kubernetes-object.ts';
import { type ResourceType, resources } from '../../shared/kubernetes/resources.ts';
import { clusterNameLabel, managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { stackNames } from '../../shared/render/stack-names.ts';

/** The objects of one cluster as they are shown; what is not there or cannot be read is null or missing. */
export interface ClusterObjects {
  readonly stackId: string;
  readonly cluster: CustomObject | null;
  readonly controlPlanes: readonly CustomObject[];
  readonly machineDeployments: readonly CustomObject[];
  readonly machines: readonly CustomObject[];
  readonly openStackClusters: readonly CustomObject[];
  readonly openStackMachines: readonly CustomObject[];
  readonly openStackServers: readonly CustomObject[];
  readonly resourceSet: CustomObject | null;
  readonly binding: CustomObject | null;
  readonly autoscalers: readonly KubernetesObject[];
}

export interface ReadObjects {
  readonly objects: ClusterObjects;
  /** What could not be read, one sentence each. */
  readonly problems: readonly string[];
}

/** Reads whatever of a cluster may be read and is served. @throws UnavailableError */
export async function readClusterObjects(
  client: KubernetesClient,
  stackId: string,
  signal: AbortSignal,
): Promise<ReadObjects> {
  const problems = new Set<string>();
  const tolerant = tolerance(problems, signal);
  const labelSelector = `${clusterNameLabel}=${stackId}`;
  const list = (type: ResourceType) => tolerant(client.list(type, { namespace, labelSelector, signal }), []);
  const find = <T extends KubernetesObject>(type: ResourceType<T>, name: string) =>
    tolerant<T | undefined>(client.find(type, { namespace, name }, { signal }), undefined);
  const [cluster, resourceSet, binding, autoscaler, ...lists] = await Promise.all([
    find(resources.cluster, stackId),
    find(resources.clusterResourceSet, stackNames(stackId).addons),
    find(resources.clusterResourceSetBinding, stackId),
    find(resources.deployment, stackNames(stackId).autoscaler),
    ...listedKinds.map(list),
  ]);
  const [controlPlanes = [], machineDeployments = [], machines = [], ...cloud] = lists.map(inOrder);
  const [openStackClusters = [], openStackMachines = [], openStackServers = []] = cloud;
  const objects = {
    stackId,
    cluster: cluster ?? null,
    controlPlanes,
    machineDeployments,
    machines,
    openStackClusters,
    openStackMachines,
    openStackServers,
    resourceSet: resourceSet ?? null,
    binding: binding ?? null,
    autoscalers: autoscaler === undefined ? [] : [autoscaler],
  };
  return { objects, problems: [...problems] };
}

/** Kinds of which a cluster has any number, in the order in which they are read. */
export const listedKinds: readonly ResourceType[] = [
  resources.kubeadmControlPlane,
  resources.machineDeployment,
  resources.machine,
  resources.openStackCluster,
  resources.openStackMachine,
  resources.openStackServer,
];

function tolerance(problems: Set<string>, signal: AbortSignal) {
  return async <T>(reading: Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await reading;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof KubernetesError) || error instanceof UnavailableError) throw error;
      problems.add(error.message);
      return otherwise;
    }
  };
}

/** By name, so that what is shown stays in its place. */
function inOrder<T extends KubernetesObject>(objects: readonly T[]): readonly T[] {
  return objects.toSorted((one, other) => (one.metadata?.name ?? '').localeCompare(other.metadata?.name ?? ''));
}
