import * as z from 'zod';
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes-object.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { readCloudConfigRecord, readDeleteRequest } from '../../shared/render/cloud-config.ts';
import { clusterUuidLabel, managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { Environment } from './environment.ts';

/** What reading takes. */
type Reader = Pick<Environment, 'kubernetes' | 'signal' | 'now'>;

/** Names of what there is; the objects themselves are not kept. */
export interface Inventory {
  /** Stack ids of the clusters to look at: that have a Cluster, or have lost it. */
  readonly stackIds: readonly string[];
  /** Names of the ClusterClasses that a Cluster refers to, whoever made it. */
  readonly classNames: ReadonlySet<string>;
  /** Stack ids of the clusters that somebody asked to delete. */
  readonly deletions: ReadonlySet<string>;
  /** Nodegroups that have a recorded server group but no place in the topology, by stack id. */
  readonly goneNodegroups: ReadonlyMap<string, readonly string[]>;
}

/** A create writes the cloud-config Secret before the Cluster; after this it has failed long since. */
const longestCreateMs = 60 * 60 * 1000;

/** Objects a call: of a Cluster only two names are kept, and a page of them is in memory several times while it is read. */
const pageSize = 25;

const cloudConfigName = /^(?<stackId>kube-[a-z0-9]{5})-cloud-config$/;

const withTopology = z.object({
  spec: z.object({
    topology: z.object({
      classRef: z.object({ name: z.string() }),
      workers: z
        .object({ machineDeployments: z.array(z.object({ name: z.string() })).default([]) })
        .prefault({})
        .catch({ machineDeployments: [] }),
    }),
  }),
});

/** Reads all Clusters and cloud-config Secrets, a page in memory at a time. @throws DependencyError */
export async function takeInventory(environment: Reader): Promise<Inventory> {
  const clusters = await readClusters(environment);
  const stackIds = new Set(clusters.stackIds);
  const deletions = new Set<string>();
  const goneNodegroups = new Map<string, readonly string[]>();
  const before = environment.now().getTime() - longestCreateMs;
  for await (const { stackId, secret } of cloudConfigs(environment)) {
    const isDeleted = readDeleteRequest(secret) !== null;
    if (isDeleted) deletions.add(stackId);
    if (isDeleted || createdAt(secret) < before) stackIds.add(stackId);
    const known = clusters.nodegroups.get(stackId);
    const gone = known === undefined ? [] : recordedNodegroups(stackId, secret).filter((name) => !known.has(name));
    if (gone.length > 0) goneNodegroups.set(stackId, gone);
  }
  return { stackIds: [...stackIds], classNames: clusters.classNames, deletions, goneNodegroups };
}

interface Clusters {
  readonly stackIds: readonly string[];
  readonly classNames: ReadonlySet<string>;
  /** Names of those in the topology, by stack id. */
  readonly nodegroups: ReadonlyMap<string, ReadonlySet<string>>;
}

async function readClusters({ kubernetes, signal }: Reader): Promise<Clusters> {
  const stackIds: string[] = [];
  const classNames = new Set<string>();
  const nodegroups = new Map<string, ReadonlySet<string>>();
  for await (const cluster of kubernetes.each(resources.cluster, { namespace, pageSize, signal })) {
    const { name, labels } = cluster.metadata ?? {};
    const isOurs = name !== undefined && labels?.[clusterUuidLabel] !== undefined;
    if (isOurs) stackIds.push(name);
    const topology = withTopology.safeParse(cluster).data?.spec.topology;
    if (topology === undefined) continue;
    classNames.add(topology.classRef.name);
    if (isOurs) nodegroups.set(name, new Set(topology.workers.machineDeployments.map((entry) => entry.name)));
  }
  return { stackIds, classNames, nodegroups };
}

interface CloudConfig {
  readonly stackId: string;
  readonly secret: KubernetesObject;
}

async function* cloudConfigs({ kubernetes, signal }: Reader): AsyncGenerator<CloudConfig> {
  const options = { namespace, labelSelector: clusterUuidLabel, pageSize, signal };
  for await (const secret of kubernetes.each(resources.secret, options)) {
    const stackId = cloudConfigName.exec(secret.metadata?.name ?? '')?.groups?.['stackId'];
    if (stackId !== undefined) yield { stackId, secret };
  }
}

/** The group of the control plane has the name of the cluster itself. */
function recordedNodegroups(stackId: string, secret: KubernetesObject): readonly string[] {
  const prefix = `${stackId}-`;
  const names = Object.keys(readCloudConfigRecord(secret)?.serverGroups ?? {});
  return names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
}

function createdAt({ metadata }: KubernetesObject): number {
  return Date.parse(metadata?.creationTimestamp ?? '');
}
