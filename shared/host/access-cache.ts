import { createHash } from 'node:crypto';

interface AccessCacheOptions {
  readonly now: () => Date;
  /** How long a success is remembered; a revoked token or role works that much longer. */
  readonly milliseconds: number;
  /** Successes kept at most; the oldest goes first. */
  readonly size: number;
}

/** Remembers for a short time that a check succeeded; failures are checked again each time. */
export class AccessCache {
  readonly #options: AccessCacheOptions;
  /** Hash → milliseconds since 1970 at which it no longer counts. Tokens themselves are not kept. */
  readonly #expiries = new Map<string, number>();
  readonly #running = new Map<string, Promise<void>>();

  constructor(options: AccessCacheOptions) {
    this.#options = options;
  }

  /** Runs `check` unless it succeeded for the same parts lately; callers at the same time share one run. */
  async once(parts: readonly string[], check: () => Promise<void>): Promise<void> {
    const key = createHash('sha256').update(JSON.stringify(parts)).digest('base64');
    const now = this.#options.now().getTime();
    if ((this.#expiries.get(key) ?? 0) > now) return;
    const running = this.#running.get(key) ?? this.#start(key, check);
    await running;
  }

  #start(key: string, check: () => Promise<void>): Promise<void> {
    const started = this.#options.now().getTime();
    const running = check()
      .then(() => this.#remember(key, started + this.#options.milliseconds))
      .finally(() => this.#running.delete(key));
    this.#running.set(key, running);
    return running;
  }

  #remember(key: string, expiry: number): void {
    this.#expiries.delete(key);
    this.#expiries.set(key, expiry);
    const oldest = this.#expiries.keys().next().value;
    if (this.#expiries.size > this.#options.size && oldest !== undefined) this.#expiries.delete(oldest);
  }
}
