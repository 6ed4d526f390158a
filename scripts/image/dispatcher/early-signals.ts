const signals = { SIGTERM: 143, SIGINT: 130 } as const;

/**
 * Lets SIGTERM and SIGINT end the process as long as nothing else handles them: the kernel gives process 1 of a container no default
 * for them, so that one which comes while a bundle loads would be lost, and the pod would wait for its whole grace period.
 */
export function endOnEarlySignals(): void {
  for (const [signal, code] of Object.entries(signals)) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(code);
    });
  }
}
