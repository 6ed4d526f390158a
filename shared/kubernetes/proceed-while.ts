import type { HeldLease } from './lease.ts';

/** A check to make before each write: it throws when the Lease may be another's or nobody waits for the result any more. */
export function proceedWhile(lease: HeldLease, signal: AbortSignal): () => void {
  return () => {
    signal.throwIfAborted();
    lease.assertHeld();
  };
}
