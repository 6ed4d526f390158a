import { type CarriedEvent, withAttributes } from '../../shared/event/carried-event.ts';

/** Why an event was given up. */
export interface Failure {
  /** URL of the subscriber, without credentials. */
  readonly destination: string;
  /** HTTP status of the last attempt; 500 where no answer came, as in Knative. */
  readonly status: number;
  /** Body of the last answer, or what went wrong instead. */
  readonly data: string;
}

/** Characters that Knative keeps of `knativeerrordata`. */
const longestData = 1024;

/** Enough to look into; a laptop that lost its functions overnight must not fill its memory. */
const defaultLimit = 1000;

/** Events that could not be delivered, the newest last; beyond the limit the oldest go. */
export class DeadLetters {
  readonly #events: CarriedEvent[] = [];
  readonly #limit: number;

  constructor(limit = defaultLimit) {
    this.#limit = limit;
  }

  get events(): readonly CarriedEvent[] {
    return this.#events;
  }

  /** Keeps an event with the extensions by which Knative tells a dead letter sink what went wrong. */
  add(event: CarriedEvent, { destination, status, data }: Failure): void {
    const errorData = Buffer.from(data).toString('base64').slice(0, longestData);
    const extensions = { knativeerrordest: destination, knativeerrorcode: String(status), knativeerrordata: errorData };
    this.#events.push(withAttributes(event, extensions));
    if (this.#events.length > this.#limit) this.#events.shift();
  }
}
