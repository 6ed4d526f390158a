import { randomUUID } from 'node:crypto';
import { Cron } from 'croner';
import type { CarriedEvent } from '../../shared/event/carried-event.ts';
import type { EventSender } from '../event/event-sender.ts';
import type { PingSource } from '../manifests/knative-objects.ts';

/** A PingSource that runs. */
export interface RunningPing {
  /** Sends its event now. */
  ping(): Promise<void>;
  stop(): void;
}

/**
 * Sends the source's event by its schedule.
 * @throws Error for a schedule that cannot be read
 */
export function startPingSource(source: PingSource, send: EventSender): RunningPing {
  const { schedule, timezone } = source.spec;
  const stopped = new AbortController();
  const ping = () => send(pingEvent(source), stopped.signal);
  const timer = scheduled(schedule, timezone, ping);
  return {
    ping,
    stop() {
      stopped.abort();
      timer.stop();
    },
  };
}

function scheduled(schedule: string, timezone: string | undefined, run: () => Promise<void>): Cron {
  try {
    return new Cron(schedule, { ...(timezone === undefined ? {} : { timezone }) }, run);
  } catch (error) {
    throw new Error(`The schedule ${JSON.stringify(schedule)} of a PingSource cannot be read.`, { cause: error });
  }
}

/** The event that Knative's PingSource sends: no subject, and the data as the source has it. */
export function pingEvent({ metadata, spec }: PingSource): CarriedEvent {
  return {
    attributes: {
      specversion: '1.0',
      id: randomUUID(),
      source: `/apis/v1/namespaces/${metadata.namespace}/pingsources/${metadata.name}`,
      type: 'dev.knative.sources.ping',
      time: new Date().toISOString(),
    },
    contentType: spec.contentType,
    body: Buffer.from(spec.data ?? ''),
  };
}
