import type { CloudEventOut } from '../../shared/host/cloud-event.ts';
import { findListed } from '../../shared/kubernetes/find-listed.ts';
import type { CustomObject } from '../../shared/kubernetes/kubernetes-object.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { clusterNameLabel, clusterUuidLabel, managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { Environment } from './environment.ts';
import { reportHealth } from './report-health.ts';

/** A cluster as an event names it: by at least one of both. */
export interface NamedCluster {
  /** UUID of the Magnum cluster. */
  readonly uuid: string | null;
  readonly stackId: string | null;
}

/** Looks at one cluster now; undefined where it is no cluster of Magnum's that we know. @throws KubernetesError */
export async function observeHealth(environment: Environment, named: NamedCluster): Promise<CloudEventOut | undefined> {
  const time = environment.now();
  const cluster = await findCluster(environment, named);
  const stackId = cluster?.metadata?.name ?? named.stackId ?? '';
  const machines = cluster === null ? [] : await listMachines(environment, stackId);
  return reportHealth(environment, { stackId, cluster, machines, uuid: named.uuid, time });
}

/** A Cluster that has the name but belongs to another Magnum cluster is not ours to judge. */
async function findCluster(environment: Environment, { uuid, stackId }: NamedCluster): Promise<CustomObject | null> {
  const { kubernetes, signal } = environment;
  const reference = { namespace, name: stackId ?? '', signal };
  const named = stackId ? await findListed(kubernetes, resources.cluster, reference) : undefined;
  if (uuid === null || named?.metadata?.labels?.[clusterUuidLabel] === uuid) return named ?? null;
  const labelSelector = `${clusterUuidLabel}=${uuid}`;
  const [labelled] = await kubernetes.list(resources.cluster, { namespace, labelSelector, signal });
  return labelled ?? null;
}

function listMachines({ kubernetes, signal }: Environment, stackId: string): Promise<readonly CustomObject[]> {
  const labelSelector = `${clusterNameLabel}=${stackId}`;
  return kubernetes.list(resources.machine, { namespace, labelSelector, signal });
}
