/** Time as the retries and the Lease see it; tests inject their own. */
export interface Clock {
  /** Milliseconds since the epoch; may step. */
  now(): number;
  /** Milliseconds since some start; never steps back and goes on while the process is stopped. */
  monotonic(): number;
  /** Resolves after the given milliseconds, or at once when the signal aborts; never rejects. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const finish = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', finish);
        resolve();
      };
      const timer = setTimeout(finish, milliseconds);
      signal?.addEventListener('abort', finish, { once: true });
    }),
};
