import { randomUUID } from 'node:crypto';
import { observeLeaseWait } from '../telemetry/observe-lease.ts';
import type { KubernetesClient } from './client.ts';
import { type Clock, systemClock } from './clock.ts';
import { acquireLease } from './lease-acquisition.ts';
import { type HeldLease, LeaseKeeper } from './lease-keeper.ts';

/** A crashed holder blocks the cluster for this long, the original's sherlock as well (design §4). */
const longestDurationSeconds = 15;
/** Longer than most operations hold a Lease, shorter than a sender waits for its answer. */
const defaultWaitMs = 2_000;

export type { HeldLease } from './lease-keeper.ts';

export interface LeaseOptions {
  readonly name: string;
  readonly namespace: string;
  /** Who it is, for operators; made unique by an appended UUID. @default 'magnum-capi-functions' */
  readonly holder?: string | undefined;
  /** Whole seconds, 1 to 15; renewed at a third of it, trusted for two thirds. @default 15 */
  readonly durationSeconds?: number | undefined;
  /** How long to wait for another holder. @default 2_000 */
  readonly waitMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Runs the work while holding a Lease, and releases it whatever the work's outcome. It shuts out every other function and
 * the original's sherlock lock (docs/adr/0002). A Lease alone does not stop a holder that was paused in the middle of a
 * write: each write also carries the resourceVersion that it is based on.
 * @throws BusyError when another holds it for longer than `waitMs`; KubernetesError when it cannot be acquired; what the work throws.
 */
export async function withLease<T>(
  client: KubernetesClient,
  options: LeaseOptions,
  work: (lease: HeldLease) => Promise<T>,
): Promise<T> {
  const { name, namespace, holder = 'magnum-capi-functions', waitMs = defaultWaitMs, clock = systemClock } = options;
  const durationSeconds = options.durationSeconds ?? longestDurationSeconds;
  if (!Number.isInteger(durationSeconds) || durationSeconds < 1 || durationSeconds > longestDurationSeconds) {
    throw new RangeError(`A Lease lasts 1 to ${longestDurationSeconds} whole seconds, not ${durationSeconds}.`);
  }
  const reference = { name, namespace };
  const settings = { client, reference, holder: `${holder}_${randomUUID()}`, durationSeconds, waitMs, clock };
  const lease = new LeaseKeeper(settings, await observeLeaseWait(name, () => acquireLease(settings)));
  try {
    return await work(lease);
  } finally {
    await lease.release();
  }
}
