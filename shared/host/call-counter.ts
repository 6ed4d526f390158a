/** Systems that a function calls. */
export type CallTarget = 'kubernetes' | 'openstack';

/** Counts the calls that one event costs, for its log line; the clients of that event call `count` before each request. */
export interface CallCounter {
  readonly kubernetes: number;
  readonly openstack: number;
  count(target: CallTarget): void;
}

export function createCallCounter(): CallCounter {
  const calls = { kubernetes: 0, openstack: 0 };
  return {
    get kubernetes() {
      return calls.kubernetes;
    },
    get openstack() {
      return calls.openstack;
    },
    count(target) {
      calls[target] += 1;
    },
  };
}
