import { textAt, timeAt } from './json-part.ts';

/** What the rules read of an Event. */
export interface EventView {
  readonly isWarning: boolean;
  /** Kind and name of the object that it is about. */
  readonly kind: string;
  readonly name: string;
  readonly message: string;
  /** When it was last seen, in milliseconds since the epoch. */
  readonly at: number | null;
}

export function readEvent(object: unknown): EventView {
  return {
    isWarning: textAt(object, 'type') === 'Warning',
    kind: textAt(object, 'involvedObject', 'kind') ?? 'Object',
    name: textAt(object, 'involvedObject', 'name') ?? '',
    message: textAt(object, 'message') ?? '',
    at:
      timeAt(object, 'series', 'lastObservedTime') ??
      timeAt(object, 'lastTimestamp') ??
      timeAt(object, 'eventTime') ??
      timeAt(object, 'firstTimestamp') ??
      timeAt(object, 'metadata', 'creationTimestamp'),
  };
}
