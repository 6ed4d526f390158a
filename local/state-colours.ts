/** Names as `styleText` of Node has them. */
export type StateColour = 'green' | 'yellow' | 'red';

/** The colour of each state of a cluster or of its health, in Magnum's words. */
export const stateColours: Readonly<Record<string, StateColour>> = {
  COMPLETE: 'green',
  IN_PROGRESS: 'yellow',
  FAILED: 'red',
  HEALTHY: 'green',
  UNHEALTHY: 'red',
  UNKNOWN: 'yellow',
};
