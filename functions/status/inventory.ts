import * as z from 'zod';
import type { KubernetesClient } from '../../shared/kubernetes/client.ts';
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes-object.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { readDeleteRequest } from '../../shared/render/cloud-config.ts';
import { clusterUuidLabel, managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { Environment } from './environment.ts';

/** Names of what there is; the objects themselves are not kept. */
export interface Inventory {
  /** Stack ids of the clusters to look at: that have a Cluster, or have lost it. */
  readonly stackIds: readonly string[];
  /** Names of the ClusterClasses that a Cluster refers to, whoever made it. */
  readonly classNames: ReadonlySet<string>;
}

/** A create writes the cloud-config Secret before the Cluster; after this it has failed long since. */
const longestCreateMs = 60 * 60 * 1000;

/** Objects a call: of a Cluster only two names are kept, and a page of them is in memory several times while it is read. */
const pageSize = 25;

const cloudConfigName = /^(?<stackId>kube-[a-z0-9]{5})-cloud-config$/;

const withClass = z.object({ spec: z.object({ topology: z.object({ classRef: z.object({ name: z.string() }) }) }) });

/** Reads all Clusters and cloud-config Secrets, a page in memory at a time. @throws DependencyError */
export async function takeInventory({ kubernetes, signal, now }: Environment): Promise<Inventory> {
  const stackIds = new Set<string>();
  const classNames = new Set<string>();
  for await (const cluster of kubernetes.each(resources.cluster, { namespace, pageSize, signal })) {
    const { name, labels } = cluster.metadata ?? {};
    if (name !== undefined && labels?.[clusterUuidLabel] !== undefined) stackIds.add(name);
    const parsed = withClass.safeParse(cluster);
    if (parsed.success) classNames.add(parsed.data.spec.topology.classRef.name);
  }
  for await (const stackId of lostClusters(kubernetes, { signal, before: now().getTime() - longestCreateMs })) {
    stackIds.add(stackId);
  }
  return { stackIds: [...stackIds], classNames };
}

interface LostOptions {
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly before: number;
}

/** Clusters that are being deleted, or whose Cluster should be there by now. */
async function* lostClusters(kubernetes: KubernetesClient, { signal, before }: LostOptions): AsyncGenerator<string> {
  const options = { namespace, labelSelector: clusterUuidLabel, pageSize, signal };
  for await (const secret of kubernetes.each(resources.secret, options)) {
    const stackId = cloudConfigName.exec(secret.metadata?.name ?? '')?.groups?.['stackId'];
    const isDue = readDeleteRequest(secret) !== null || createdAt(secret) < before;
    if (stackId !== undefined && isDue) yield stackId;
  }
}

function createdAt({ metadata }: KubernetesObject): number {
  return Date.parse(metadata?.creationTimestamp ?? '');
}
