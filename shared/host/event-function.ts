import type * as z from 'zod';
import type { CallCounter } from './call-counter.ts';
import type { CloudEventIn, CloudEventOut } from './cloud-event.ts';
import type { Logger } from './logger.ts';

/** What the host hands to a function with each event. */
export interface FunctionContext {
  /** Writes lines with the id and cluster of the event. */
  readonly log: Logger;
  /** Aborts when the event's time is up or the host will not wait longer at its end: release what is held and stop. */
  readonly signal: AbortSignal;
  readonly calls: CallCounter;
  readonly now: () => Date;
}

/** The event types that a function takes, each with the schema of its data. */
export type EventSchemas = Readonly<Record<string, z.ZodType>>;

/** Any of the events that `Schemas` describes, told apart by `type`. */
export type AcceptedEvent<Schemas extends EventSchemas> = {
  [Type in keyof Schemas & string]: CloudEventIn<Type, z.output<Schemas[Type]>>;
}[keyof Schemas & string];

/** One function: the events that it takes and what it does with them. */
export interface EventFunction<Schemas extends EventSchemas = EventSchemas> {
  /** As in its Service, e.g. `create`; also the resource that a caller must be allowed to invoke. */
  readonly name: string;
  readonly accepts: Schemas;
  /** Types whose data the function does not look at: it may be of any media type, and `handle` gets none. @default none */
  readonly unread?: readonly string[] | undefined;
  /** Takes every event that a broker delivers, of whatever type and with any JSON as data, in place of what `accepts` says. @default false */
  readonly acceptsAnyFromBroker?: boolean | undefined;
  /**
   * A method rather than a property, so that functions of different events fit in one list.
   * @returns the reply; undefined when there is nothing to say
   * @throws DriverError for every answer that is no success
   */
  handle(context: FunctionContext, event: AcceptedEvent<Schemas>): Promise<CloudEventOut | undefined>;
}

/** A function whose events are told apart by their types; the host hands it only data that matches their schemas. */
export function eventFunction<Schemas extends EventSchemas>(definition: EventFunction<Schemas>): EventFunction {
  return {
    name: definition.name,
    accepts: definition.accepts,
    unread: definition.unread,
    acceptsAnyFromBroker: definition.acceptsAnyFromBroker,
    handle: (context, event) => definition.handle(context, event as AcceptedEvent<Schemas>),
  };
}
