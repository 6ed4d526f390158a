import type { TimeLimits } from 'openstack-client-ts';

/** Of a call that cleans up: what does not go in time goes with the next attempt, and an event has more to do. */
export const cleanUpLimits: TimeLimits = { attemptMs: 10_000, totalMs: 20_000 };
