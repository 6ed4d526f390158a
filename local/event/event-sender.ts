import type { CarriedEvent } from '../../shared/event/carried-event.ts';
import { postEvent } from '../../shared/event/post-event.ts';
import type { Logger } from '../../shared/host/logger.ts';
import { type Clock, systemClock } from '../../shared/kubernetes/clock.ts';

export interface EventSenderOptions {
  /** URL that takes the events. */
  readonly sink: string;
  /** Namespace of the source. */
  readonly namespace: string;
  readonly logger: Logger;
  readonly clock?: Clock | undefined;
}

/** Sends an event as Knative's sources do; resolves when it is delivered, dropped or the signal aborts. Never throws. */
export type EventSender = (event: CarriedEvent, signal: AbortSignal) => Promise<void>;

/** Knative's sources: 0.1 to 1.6 s of waiting, about three seconds in all. */
const retries = 5;
const firstDelay = 50;

/** Sources have no limit of their own; a sink that hangs must not hold a laptop's source for ever. */
const timeout = 60_000;

/** Other answers drop the event at once, 500 and 409 among them. */
const retried = new Set([404, 413, 425, 429, 502, 503, 504]);

export function createEventSender({ sink, namespace, logger, clock = systemClock }: EventSenderOptions): EventSender {
  return async (event, signal) => {
    for (let retry = 1; !signal.aborted; retry += 1) {
      const outcome = await attempt({ sink, namespace, event, signal });
      if (outcome === 'taken' || signal.aborted) return;
      if (!outcome.isRetried || retry > retries) {
        const { id, type, subject } = event.attributes;
        logger.error({ event_id: id, event_type: type, subject, reason: outcome.reason }, 'a source drops an event');
        return;
      }
      await clock.sleep(firstDelay * 2 ** retry, signal);
    }
  };
}

interface Sending {
  readonly sink: string;
  readonly namespace: string;
  readonly event: CarriedEvent;
  readonly signal: AbortSignal;
}

type Outcome = 'taken' | { readonly isRetried: boolean; readonly reason: string };

async function attempt({ sink, namespace, event, signal }: Sending): Promise<Outcome> {
  try {
    const { status } = await postEvent({ url: sink, event, headers: { 'kn-namespace': namespace }, timeout, signal });
    if (status >= 200 && status <= 299) return 'taken';
    return { isRetried: retried.has(status), reason: `the sink answered ${status}` };
  } catch (error) {
    return { isRetried: true, reason: error instanceof Error ? error.message : String(error) };
  }
}
