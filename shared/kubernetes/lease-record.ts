import type { V1Lease, V1LeaseSpec } from '@kubernetes/client-node';
import type { Wire } from './kubernetes-object.ts';

export type LeaseObject = Wire<V1Lease>;

/** The stamps of the API server have whole seconds. */
const stampResolutionMs = 1_000;
/** How far the clocks of several API servers may be apart; their certificates and etcd need far less. */
const serverSkewMs = 1_000;

/** What a holder writes: everything that the original's lock (sherlock) judges, never left out, whole seconds. */
export function leaseSpec(holder: string, durationSeconds: number, now: number): Wire<V1LeaseSpec> {
  const time = microTime(now);
  return { holderIdentity: holder, leaseDurationSeconds: durationSeconds, acquireTime: time, renewTime: time };
}

/** Kubernetes' MicroTime, which must have exactly six decimals. */
export function microTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z');
}

/**
 * When a Lease can be taken over, in milliseconds of the API server's clock; Infinity without a duration (never expires).
 *
 * It counts from the moment at which the API server stored the last change (`managedFields`), not from `renewTime`, which
 * is the holder's own clock: a holder whose clock is an hour late would lose a Lease that it has just written, one whose
 * clock is ahead would keep it for that hour after a crash.
 */
export function leaseExpiry(lease: LeaseObject): number {
  const duration = lease.spec?.leaseDurationSeconds ?? Number.POSITIVE_INFINITY;
  return lastWrite(lease) + duration * 1_000 + stampResolutionMs + serverSkewMs;
}

function lastWrite({ metadata, spec }: LeaseObject): number {
  const stamps = (metadata?.managedFields ?? []).map((entry) => Date.parse(entry.time ?? '')).filter(Number.isFinite);
  return stamps.length > 0 ? Math.max(...stamps) : Date.parse(spec?.renewTime ?? '') || 0;
}
