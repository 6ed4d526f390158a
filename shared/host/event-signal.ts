import { AsyncLocalStorage } from 'node:async_hooks';

const signals = new AsyncLocalStorage<AbortSignal>();

/** Runs work that ends when this signal aborts, with all that it starts. */
export function runWithSignal<Result>(signal: AbortSignal, work: () => Result): Result {
  return signals.run(signal, work);
}

/** Aborts when nobody waits any more for the event that the caller works for; undefined where there is none. */
export function activeSignal(): AbortSignal | undefined {
  return signals.getStore();
}
