import { managementNamespace } from '../render/metadata.ts';
import type { KubernetesClient } from './client.ts';
import { withLease } from './lease.ts';

export interface ClusterLeaseEnvironment {
  readonly kubernetes: KubernetesClient;
  /** Lifetime of the Lease without renewal. @default 15 */
  readonly leaseSeconds?: number | undefined;
  /** Aborts when nobody waits for the result any more. */
  readonly signal: AbortSignal;
}

/**
 * Runs the work while holding the Lease that serialises the operations on one Magnum cluster; its name is that of the
 * original's lock.
 * @param work gets a check to make before each write: it throws when the Lease may be another's or nobody waits any more
 * @throws BusyError, KubernetesError, and what the work throws
 */
export function withClusterLease<T>(
  { kubernetes, leaseSeconds: durationSeconds, signal }: ClusterLeaseEnvironment,
  uuid: string,
  work: (proceed: () => void) => Promise<T>,
): Promise<T> {
  const lease = { name: `cluster-${uuid}`, namespace: managementNamespace, durationSeconds };
  return withLease(kubernetes, lease, (held) =>
    work(() => {
      signal.throwIfAborted();
      held.assertHeld();
    }),
  );
}
