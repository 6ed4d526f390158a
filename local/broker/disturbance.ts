import type { Clock } from '../../shared/kubernetes/clock.ts';

/** What a broker may do by its contract and rarely does: events come at least once, in any order. */
export interface Disturbance {
  /** Further deliveries of each event. @default 0 */
  readonly duplicates?: number;
  /** Holds deliveries back until so many have come, and lets them go in reverse order. @default 1 */
  readonly reorder?: number;
  /** Milliseconds after which deliveries go although fewer have come. @default 1000 */
  readonly longestHold?: number;
}

/** Lets deliveries go, at once or disturbed. */
export function createDispatcher(
  { duplicates = 0, reorder = 1, longestHold = 1000 }: Disturbance,
  clock: Clock,
): (deliver: () => void) => void {
  let held: (() => void)[] = [];
  const letGo = () => {
    const going = held.toReversed();
    held = [];
    for (const deliver of going) deliver();
  };
  return (deliver) => {
    for (let copy = 0; copy <= duplicates; copy += 1) {
      held.push(deliver);
      if (held.length >= reorder) letGo();
      else if (held.length === 1) void clock.sleep(longestHold).then(letGo);
    }
  };
}
