import { resources } from '../../shared/kubernetes/resources.ts';
import { clusterTitleAnnotation, clusterUuidLabel } from '../../shared/render/metadata.ts';
import { textAt } from '../../shared/status/views/json-part.ts';
import type { ManagementCluster } from '../management-cluster.ts';

/** The names of a Magnum cluster that has a Cluster. */
export interface KnownCluster {
  /** Name of the Cluster. */
  readonly stackId: string;
  /** Of the Magnum cluster. */
  readonly uuid: string;
  /** In Magnum; null where nobody has written it down. */
  readonly name: string | null;
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

/** All clusters of Magnum drivers, by stack id. @throws KubernetesError */
export async function knownClusters(
  { client, namespace }: ManagementCluster,
  signal: AbortSignal,
): Promise<readonly KnownCluster[]> {
  const clusters = await client.list(resources.cluster, { namespace, labelSelector: clusterUuidLabel, signal });
  return clusters
    .map((object) => ({
      stackId: object.metadata?.name ?? '',
      uuid: textAt(object, 'metadata', 'labels', clusterUuidLabel) ?? '',
      name: textAt(object, 'metadata', 'annotations', clusterTitleAnnotation),
    }))
    .toSorted((one, other) => one.stackId.localeCompare(other.stackId));
}

/**
 * The cluster that is meant by a stack id, a UUID or a name in Magnum.
 * @throws Error in one sentence where there is none, or several of the name
 */
export function chooseCluster(clusters: readonly KnownCluster[], asked: string): KnownCluster {
  const exact = clusters.find(({ stackId, uuid }) => stackId === asked || uuid === asked.toLowerCase());
  const [found, ...others] = exact === undefined ? clusters.filter(({ name }) => name === asked) : [exact];
  if (found === undefined) throw new Error(`There is no cluster ${asked} in the management cluster.`);
  if (others.length === 0) return found;
  const uuids = [found, ...others].map(({ uuid }) => uuid).join(', ');
  throw new Error(`Several clusters have the name ${asked}: say which by its UUID: ${uuids}.`);
}
