import { setTimeout as delay } from 'node:timers/promises';

export interface WaitOptions {
  /** What is waited for, e.g. "kube-apiserver to be ready"; stands in the error. */
  readonly what: string;
  /** Milliseconds. @default 60,000 */
  readonly timeout?: number;
  /** Milliseconds between two probes. @default 100 */
  readonly interval?: number;
  /** Ends the wait with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Repeats a probe until it succeeds and returns its result.
 * @throws when time is up, with the probe's last error as cause; the signal's reason when it is aborted.
 */
export async function waitFor<T>(probe: () => Promise<T>, options: WaitOptions): Promise<T> {
  const { what, timeout = 60_000, interval = 100, signal } = options;
  const deadline = performance.now() + timeout;
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await probe();
    } catch (error) {
      if (performance.now() > deadline) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`Waited ${timeout / 1000} s for ${what}: ${reason}`, { cause: error });
      }
    }
    await delay(interval);
  }
}
