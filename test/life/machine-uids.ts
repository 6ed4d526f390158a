import type { KubernetesClient } from '../../shared/kubernetes/client.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { clusterNameLabel, managementNamespace as namespace } from '../../shared/render/metadata.ts';

/** UIDs of a cluster's Machines, oldest first. */
export interface MachineUids {
  readonly masters: readonly string[];
  readonly workers: readonly string[];
}

export async function machineUids(kubernetes: KubernetesClient, stackId: string): Promise<MachineUids> {
  const labelSelector = `${clusterNameLabel}=${stackId}`;
  const machines = await kubernetes.list(resources.machine, { namespace, labelSelector });
  const sorted = machines.toSorted((one, other) => created(one).localeCompare(created(other)));
  const uids = (areMasters: boolean) =>
    sorted.filter((machine) => isMaster(machine) === areMasters).map(({ metadata }) => metadata?.uid ?? '');
  return { masters: uids(true), workers: uids(false) };
}

type Machine = Awaited<ReturnType<KubernetesClient['get']>>;

function isMaster({ metadata }: Machine): boolean {
  return metadata?.labels?.['cluster.x-k8s.io/control-plane'] !== undefined;
}

function created({ metadata }: Machine): string {
  return `${metadata?.creationTimestamp} ${metadata?.name}`;
}
