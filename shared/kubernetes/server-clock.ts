import type { Clock } from './clock.ts';

/**
 * The API server's wall clock, from the `Date` header of its answers: one clock for all processes, however wrong their own
 * ones are. `Date` has whole seconds, so the result is up to a second and the answer's way late, never early.
 */
export class ServerClock {
  readonly #clock: Clock;
  /** Server time minus monotonic time. */
  #offset: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  observe(dateHeader: string | undefined): void {
    const date = Date.parse(dateHeader ?? '');
    if (!Number.isNaN(date)) this.#offset = date - this.#clock.monotonic();
  }

  /** Milliseconds since the epoch; undefined until an answer carried a date. */
  now(): number | undefined {
    return this.#offset === undefined ? undefined : this.#offset + this.#clock.monotonic();
  }
}
