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
  /** Seconds after the start of an upgrade: when it says UPDATE_COMPLETE, and when the upgrade is. */
  upgrade: { reported: 0.7, complete: 80 },
} as const;

/** The calls for one cluster within a time, whether something changes or not. */
export function pollCalls(seconds: number): number {
  return Math.floor(seconds / original.poll.interval) * original.poll.kubernetesCalls;
}

/**
 * Median milliseconds from process start to listening under a quota of thousandths of a processor, of what functions are
 * otherwise made of: the hello function of faas-js-runtime 4.0.1 on Node 20, which has no Kubernetes client, and a function with
 * @kubernetes/client-node 2.0.1 in its bundle on Node 22.
 */
export const publishedStarts = {
  250: 'faas-js-runtime: 1992 ms, with client-node: 1191 ms',
  500: 'faas-js-runtime: 910 ms, with client-node: 512 ms',
  1000: 'faas-js-runtime: 440 ms, with client-node: 636 ms',
} as const;
