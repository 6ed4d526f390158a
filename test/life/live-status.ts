import type { KubernetesClient } from '../../shared/kubernetes/client.ts';
import { observeCluster } from '../../shared/kubernetes/cluster-observation.ts';
import { deriveStatus } from '../../shared/status/derive-status.ts';
import { waitFor } from '../env/wait-for.ts';
import { statusOf } from '../system/report-log.ts';

/** What the objects of a cluster say, whoever has been told, e.g. `CREATE_COMPLETE`; '' without a Cluster. */
export async function liveStatus(kubernetes: KubernetesClient, stackId: string): Promise<string> {
  const derived = deriveStatus(await observeCluster(kubernetes, stackId), { now: new Date(), magnum: null });
  return derived === null ? '' : statusOf(derived.report);
}

export interface LiveWait {
  readonly stackId: string;
  /** E.g. `UPDATE_COMPLETE`. */
  readonly status: string;
  /** Milliseconds. */
  readonly timeout: number;
}

/** Waits until the objects of a cluster say so. */
export async function waitForLive(kubernetes: KubernetesClient, { stackId, status, timeout }: LiveWait): Promise<void> {
  const probe = async () => {
    const live = await liveStatus(kubernetes, stackId);
    if (live !== status) throw new Error(`the objects say ${live}`);
  };
  await waitFor(probe, { what: `${status} of ${stackId}`, timeout, interval: 500 });
}
