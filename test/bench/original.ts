/**
 * What the original driver takes, measured once on the same API server with OpenStack mocked. Magnum's conductor asks it for
 * the status of every cluster in progress in turn, by a timer.
 */
export const original = {
  /** Seconds that a create takes. */
  create: { fastest: 4.2, slowest: 6.7 },
  poll: {
    /** Milliseconds for one cluster. */
    duration: 131,
    kubernetesCalls: 9,
    /** Seconds from one poll of a cluster to the next: the age that a change may have when it is seen. */
    interval: 10,
  },
} as const;

/** The calls for one cluster within a time, whether something changes or not. */
export function pollCalls(seconds: number): number {
  return Math.floor(seconds / original.poll.interval) * original.poll.kubernetesCalls;
}
