import type { ClusterIntent } from '../../../magnum/cluster-intent.ts';
import { sampleSnapshot } from '../../../magnum/sample-snapshots.ts';
import { toClusterIntent } from '../../../magnum/to-cluster-intent.ts';

/**
 * The intent of a cluster as Magnum sends it, by its labels for one.
 * @throws Error where the driver would refuse it
 */
export function intentOf(changes: Parameters<typeof sampleSnapshot>[0]): ClusterIntent {
  const outcome = toClusterIntent(sampleSnapshot(changes));
  if (!('intent' in outcome)) throw new Error(JSON.stringify(outcome.faults));
  return outcome.intent;
}
