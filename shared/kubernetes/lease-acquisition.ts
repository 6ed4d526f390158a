import { BusyError } from '../contract/errors.ts';
import type { KubernetesClient } from './client.ts';
import type { Clock } from './clock.ts';
import { isAlreadyExists, isConflict, isNotFound } from './errors.ts';
import { type LeaseObject, leaseExpiry, leaseSpec } from './lease-record.ts';
import { resources } from './resources.ts';

/** Between looks at a Lease that another holds: soon at first, since most are held for a second. */
const firstPollMs = 100;
const maxPollMs = 500;

export interface LeaseSettings {
  readonly client: KubernetesClient;
  readonly reference: { readonly name: string; readonly namespace: string };
  /** Unique to this acquisition, so that a Lease with this holder is ours even if the answer to its write was lost. */
  readonly holder: string;
  readonly durationSeconds: number;
  readonly waitMs: number;
  readonly clock: Clock;
}

/** Our Lease as last written. */
export interface LeaseVersion {
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  /** Monotonic time just before its last renewal was sent; from here on it counts as held. */
  readonly since: number;
}

/**
 * Waits until the Lease is ours.
 * @throws BusyError when another still holds it after `waitMs`.
 */
export async function acquireLease(settings: LeaseSettings): Promise<LeaseVersion> {
  const { client, clock, holder, waitMs } = settings;
  const giveUpAt = clock.monotonic() + waitMs;
  // Nearly always there is no Lease, so creating comes first; but its renewTime needs the API server's clock.
  let lease = client.serverTime() === undefined ? await find(settings) : undefined;
  for (let delay = firstPollMs; ; delay = Math.min(delay * 2, maxPollMs)) {
    const since = clock.monotonic();
    lease = await seize(settings, lease);
    if (lease?.spec?.holderIdentity === holder) {
      return { uid: lease.metadata?.uid, resourceVersion: lease.metadata?.resourceVersion, since };
    }
    const left = giveUpAt - clock.monotonic();
    if (left <= 0) throw busy(settings, lease);
    await clock.sleep(Math.min(delay, left));
    lease = await find(settings);
  }
}

/** The time that a Lease is written and judged by: the API server's, which all holders share. */
export function leaseTime({ client, clock }: LeaseSettings): number {
  return client.serverTime() ?? clock.now();
}

/** Tries once to take a Lease that is free or expired; gives the Lease as it is afterwards, ours or another's. */
async function seize(settings: LeaseSettings, lease: LeaseObject | undefined): Promise<LeaseObject | undefined> {
  if (lease === undefined) return create(settings);
  return leaseTime(settings) > leaseExpiry(lease) ? takeOver(settings, lease) : lease;
}

async function create(settings: LeaseSettings): Promise<LeaseObject | undefined> {
  const { client, reference, holder, durationSeconds } = settings;
  const spec = leaseSpec(holder, durationSeconds, leaseTime(settings));
  try {
    return await client.create(resources.lease, { metadata: { ...reference }, spec }, { repeatable: true });
  } catch (error) {
    if (isAlreadyExists(error)) return find(settings);
    throw error;
  }
}

async function takeOver(settings: LeaseSettings, lease: LeaseObject): Promise<LeaseObject | undefined> {
  const { client, reference, holder, durationSeconds } = settings;
  const spec = leaseSpec(holder, durationSeconds, leaseTime(settings));
  try {
    return await client.patch(resources.lease, reference, {
      operations: [{ op: 'add', path: '/spec', value: spec }],
      resourceVersion: lease.metadata?.resourceVersion,
    });
  } catch (error) {
    if (isConflict(error) || isNotFound(error)) return find(settings);
    throw error;
  }
}

function find({ client, reference }: LeaseSettings): Promise<LeaseObject | undefined> {
  return client.find(resources.lease, reference);
}

function busy({ reference }: LeaseSettings, lease: LeaseObject | undefined): BusyError {
  const { namespace, name } = reference;
  const rival = lease?.spec?.holderIdentity?.slice(0, 100) ?? 'another';
  const expiry = lease === undefined ? Number.NaN : leaseExpiry(lease);
  const until = Number.isFinite(expiry) ? ` until ${new Date(expiry).toISOString()} unless it is renewed` : '';
  return new BusyError(`The Lease ${namespace}/${name} is held by ${rival}${until}.`);
}
