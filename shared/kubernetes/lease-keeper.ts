import { DriverError } from '../contract/errors.ts';
import { isConflict, isNotFound } from './errors.ts';
import { type LeaseSettings, type LeaseVersion, leaseTime } from './lease-acquisition.ts';
import { type LeaseObject, microTime } from './lease-record.ts';
import { resources } from './resources.ts';

/** With 15 s: every 5 s, as design §4 says. */
const renewalsPerDuration = 3;
/** We stop at two thirds (10 s), before anyone else may begin: this bears rivals whose clock is up to 5 s ahead. */
const trustedShare = 2 / 3;
/** A renewal that failed is tried again after a second, not after the next five. */
const retriesPerRenewal = 5;
/** The reply waits for the release; if it takes longer the Lease had better expire. */
const releaseDeadlineMs = 5_000;

/** The Lease may belong to another by now, so nothing more may be written: 429. */
export class LeaseLostError extends DriverError {
  override readonly name = 'LeaseLostError';
  constructor(message: string) {
    super(message, { code: 'busy', status: 429, retryable: true, retryAfter: 2 });
  }
}

/** A Lease that is held and renewed until it is released or lost. */
export interface HeldLease {
  /** Aborts, with a LeaseLostError, as soon as the loss is known. */
  readonly signal: AbortSignal;
  /**
   * To be called before each write: notices also that the process was stopped for too long.
   * @throws LeaseLostError when it may no longer be held.
   */
  readonly assertHeld: () => void;
  /** Gives it to the next; never rejects: a Lease that cannot be deleted expires. */
  readonly release: () => Promise<void>;
}

export class LeaseKeeper implements HeldLease {
  readonly #settings: LeaseSettings;
  readonly #lost = new AbortController();
  /** Lost or released: the loops end. */
  readonly #ended = new AbortController();
  readonly #renewing: Promise<void>;
  #version: LeaseVersion;
  #released: Promise<void> | undefined;

  constructor(settings: LeaseSettings, version: LeaseVersion) {
    this.#settings = settings;
    this.#version = version;
    this.#renewing = this.#renewUntilEnd();
    void this.#watchExpiry();
  }

  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  readonly assertHeld = (): void => {
    if (this.#validMs() <= 0) this.#lose('was not renewed in time');
    this.#lost.signal.throwIfAborted();
    if (this.#ended.signal.aborted) throw this.#error('was released');
  };

  readonly release = (): Promise<void> => {
    this.#released ??= this.#delete();
    return this.#released;
  };

  /** Milliseconds for which nobody can have taken it; the monotonic clock goes on while the process is stopped. */
  #validMs(): number {
    const { clock, durationSeconds } = this.#settings;
    return this.#version.since + durationSeconds * 1_000 * trustedShare - clock.monotonic();
  }

  async #watchExpiry(): Promise<void> {
    const { clock } = this.#settings;
    for (let left = this.#validMs(); left > 0; left = this.#validMs()) {
      await clock.sleep(left, this.#ended.signal);
      if (this.#ended.signal.aborted) return;
    }
    this.#lose('was not renewed in time');
  }

  async #renewUntilEnd(): Promise<void> {
    const { clock, durationSeconds } = this.#settings;
    const interval = (durationSeconds * 1_000) / renewalsPerDuration;
    for (let renewed = true; ; ) {
      await clock.sleep(renewed ? interval : interval / retriesPerRenewal, this.#ended.signal);
      if (this.#ended.signal.aborted) return;
      renewed = await this.#renew(interval);
    }
  }

  /** False when it is to be tried again soon. */
  async #renew(timeoutMs: number): Promise<boolean> {
    const { client, clock, reference } = this.#settings;
    const since = clock.monotonic();
    try {
      const lease = await client.patch(resources.lease, reference, {
        operations: [{ op: 'add', path: '/spec/renewTime', value: microTime(leaseTime(this.#settings)) }],
        resourceVersion: this.#version.resourceVersion,
        timeoutMs,
        deadlineMs: this.#validMs(),
      });
      this.#version = { ...this.#version, resourceVersion: lease.metadata?.resourceVersion, since };
      return true;
    } catch (error) {
      if (isNotFound(error)) this.#lose('was deleted');
      if (isConflict(error)) await this.#compareHolder(timeoutMs);
      return false;
    }
  }

  /** A conflict is no loss if the write before it was ours and only its answer was lost. */
  async #compareHolder(timeoutMs: number): Promise<void> {
    const { client, reference, holder } = this.#settings;
    let lease: LeaseObject | undefined;
    try {
      lease = await client.find(resources.lease, reference, { timeoutMs, deadlineMs: this.#validMs() });
    } catch {
      return; // Not known yet: the next renewal meets the same conflict, or the time runs out.
    }
    if (lease?.spec?.holderIdentity !== holder) this.#lose('was taken over');
    else this.#version = { ...this.#version, resourceVersion: lease.metadata?.resourceVersion };
  }

  #lose(what: string): void {
    if (this.#ended.signal.aborted) return;
    this.#lost.abort(this.#error(what));
    this.#ended.abort();
  }

  #error(what: string): LeaseLostError {
    const { namespace, name } = this.#settings.reference;
    return new LeaseLostError(`The Lease ${namespace}/${name} ${what}.`);
  }

  async #delete(): Promise<void> {
    this.#ended.abort();
    // A renewal under way changes the version that the deletion names.
    await this.#renewing;
    if (this.#lost.signal.aborted) return;
    const { client, reference } = this.#settings;
    const { uid, resourceVersion } = this.#version;
    try {
      await client.delete(resources.lease, reference, { uid, resourceVersion, deadlineMs: releaseDeadlineMs });
    } catch {
      // It expires by itself, and the outcome of the work matters more.
    }
  }
}
