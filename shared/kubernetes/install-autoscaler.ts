import { autoscalerFacts } from '../render/addons/cluster-autoscaler/autoscaler-facts.ts';
import { ensureAutoscaler, takeOverAutoscaler } from './autoscaler.ts';
import type { KubernetesClient } from './client.ts';
import { ForbiddenError, InvalidError } from './errors.ts';
import type { LiveCluster } from './live-cluster.ts';

/**
 * Writes the autoscaler's Deployment where any nodegroup of a Cluster is autoscaled. By then the operation itself is
 * recorded: what the management cluster refuses becomes a note, and the next repair tries again.
 * @returns notes for the reply. @throws KubernetesError where sending the event again may help
 */
export function installAutoscaler(kubernetes: KubernetesClient, cluster: LiveCluster): Promise<string[]> {
  return install(kubernetes, cluster, ensureAutoscaler);
}

/** Like `installAutoscaler`, but also in place of another driver's: that keeps the release of the cluster's former version. */
export function upgradeAutoscaler(kubernetes: KubernetesClient, cluster: LiveCluster): Promise<string[]> {
  return install(kubernetes, cluster, takeOverAutoscaler);
}

async function install(
  kubernetes: KubernetesClient,
  cluster: LiveCluster,
  write: typeof ensureAutoscaler,
): Promise<string[]> {
  const facts = autoscalerFacts(cluster);
  if (!facts?.isAutoscaled) return [];
  try {
    await write(kubernetes, facts);
    return [];
  } catch (error) {
    if (!isRefused(error)) throw error;
    return [`The cluster autoscaler is not installed yet: ${error.message}`];
  }
}

/** By a policy or a missing right: sending the same again changes nothing. */
function isRefused(error: unknown): error is ForbiddenError | InvalidError {
  return error instanceof InvalidError || (error instanceof ForbiddenError && error.apiStatus === 403);
}
