import type { DeletionEnvironment } from '../../shared/deletion/deletion.ts';
import { type LiveSecret, liveSecret } from '../../shared/kubernetes/cluster-repository.ts';
import type { CustomObject } from '../../shared/kubernetes/kubernetes-object.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { clusterUuidLabel, managementNamespace as namespace } from '../../shared/render/metadata.ts';

/** A stack id that belongs to a Magnum cluster, by what stands under it. */
export interface Claim {
  readonly stackId: string;
  readonly cluster: CustomObject | null;
  /** The cloud-config Secret: all that a create has left which did not come to its end. */
  readonly secret: LiveSecret | null;
}

const cloudConfigName = /^(?<stackId>.+)-cloud-config$/;

/**
 * All that belongs to a Magnum cluster, by the label with its UUID. The stack id that Magnum knows is not asked: what
 * has another label belongs to another cluster.
 */
export async function findClaims({ kubernetes, signal }: DeletionEnvironment, uuid: string): Promise<readonly Claim[]> {
  const labelled = { namespace, labelSelector: `${clusterUuidLabel}=${uuid}`, signal };
  const [clusters, secrets] = await Promise.all([
    kubernetes.list(resources.cluster, labelled),
    kubernetes.list(resources.secret, labelled),
  ]);
  const claims = new Map<string, Claim>();
  for (const cluster of clusters) {
    const stackId = cluster.metadata?.name ?? '';
    claims.set(stackId, { stackId, cluster, secret: null });
  }
  for (const secret of secrets) {
    const stackId = cloudConfigName.exec(secret.metadata?.name ?? '')?.groups?.['stackId'];
    if (stackId === undefined) continue;
    claims.set(stackId, { stackId, cluster: claims.get(stackId)?.cluster ?? null, secret: liveSecret(secret) });
  }
  return [...claims.values()];
}
