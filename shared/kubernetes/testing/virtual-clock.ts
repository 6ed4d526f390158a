import { setImmediate as untilIdle } from 'node:timers/promises';
import type { Clock } from '../clock.ts';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock that stands still while anything happens, and then jumps to where the next sleeper wakes. */
export class VirtualClock implements Clock {
  #time = 0;
  readonly #sleepers = new Set<Sleeper>();

  now(): number {
    return Date.parse('2026-01-01T00:00:00Z') + this.#time;
  }

  monotonic(): number {
    return this.#time;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const wake = () => {
        this.#sleepers.delete(sleeper);
        resolve();
      };
      const sleeper = { at: this.#time + milliseconds, wake };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', wake, { once: true });
    });
  }

  /** Resolves when nobody sleeps any more. */
  async run(): Promise<void> {
    for (await untilIdle(); this.#sleepers.size > 0; await untilIdle()) {
      const [first] = [...this.#sleepers].toSorted((one, other) => one.at - other.at);
      this.#time = first?.at ?? this.#time;
      first?.wake();
    }
  }
}
