import { createHash } from 'node:crypto';
import { ForbiddenError, UnauthenticatedError } from './host-errors.ts';

interface AccessCacheOptions {
  readonly now: () => Date;
  /** How long a success is remembered; a revoked token or role works that much longer. */
  readonly milliseconds: number;
  /** How long a refusal is remembered; a new role or account is of no use that much longer. */
  readonly refusedMilliseconds: number;
  /** Successes kept at most, and as many refusals; the oldest goes first. */
  readonly size: number;
}

/** Remembers for a short time how a check ended; what could not be found out is checked again each time. */
export class AccessCache {
  readonly #options: AccessCacheOptions;
  readonly #successes: ExpiringMap<true>;
  /** Apart from the successes: whoever makes up tokens must not make the valid ones be forgotten. */
  readonly #refusals: ExpiringMap<Error>;
  readonly #running = new Map<string, Promise<void>>();

  constructor(options: AccessCacheOptions) {
    this.#options = options;
    this.#successes = new ExpiringMap(options.size);
    this.#refusals = new ExpiringMap(options.size);
  }

  /**
   * Runs `check` unless it ended for the same parts lately; callers at the same time share one run.
   * @throws what the check threw
   */
  async once(parts: readonly string[], check: () => Promise<void>): Promise<void> {
    // Tokens themselves are not kept.
    const key = createHash('sha256').update(JSON.stringify(parts)).digest('base64');
    const now = this.#options.now().getTime();
    if (this.#successes.get(key, now) === true) return;
    const refusal = this.#refusals.get(key, now);
    if (refusal !== undefined) throw refusal;
    const running = this.#running.get(key) ?? this.#start(key, check);
    await running;
  }

  async #start(key: string, check: () => Promise<void>): Promise<void> {
    const { milliseconds, refusedMilliseconds, now } = this.#options;
    const started = now().getTime();
    const running = check()
      .then(
        () => this.#successes.set(key, true, started + milliseconds),
        (error: unknown) => {
          if (isRefusal(error)) this.#refusals.set(key, error, started + refusedMilliseconds);
          throw error;
        },
      )
      .finally(() => this.#running.delete(key));
    this.#running.set(key, running);
    return running;
  }
}

function isRefusal(error: unknown): error is Error {
  return error instanceof UnauthenticatedError || error instanceof ForbiddenError;
}

/** Values with a time, in milliseconds since 1970, at which they no longer count. */
class ExpiringMap<Value> {
  readonly #size: number;
  readonly #entries = new Map<string, { readonly value: Value; readonly expiry: number }>();

  constructor(size: number) {
    this.#size = size;
  }

  get(key: string, now: number): Value | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && entry.expiry > now ? entry.value : undefined;
  }

  set(key: string, value: Value, expiry: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, expiry });
    const oldest = this.#entries.keys().next().value;
    if (this.#entries.size > this.#size && oldest !== undefined) this.#entries.delete(oldest);
  }
}
