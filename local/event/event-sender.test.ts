import { afterEach, expect, test } from 'vitest';
import type { CarriedEvent } from '../../shared/event/carried-event.ts';
import { createLogger } from '../../shared/host/logger.ts';
import { instantClock } from '../../shared/kubernetes/testing/instant-clock.ts';
import { type SubscriberAnswer, type SubscriberUnderTest, startSubscriber } from '../testing/subscriber.ts';
import { createEventSender } from './event-sender.ts';

const event: CarriedEvent = {
  attributes: { specversion: '1.0', id: 'e-1', source: '/s', type: 't' },
  contentType: 'application/json',
  body: Buffer.from('{}'),
};

let sink: SubscriberUnderTest;
afterEach(() => sink.close());

async function send(answers: readonly SubscriberAnswer[]) {
  sink = await startSubscriber(answers);
  const clock = instantClock();
  const log: string[] = [];
  const logger = createLogger({ destination: { write: (line) => void log.push(line) } });
  const sender = createEventSender({ sink: sink.url, namespace: 'magnum-system', logger, clock });
  await sender(event, new AbortController().signal);
  return { attempts: sink.events.length, sleeps: clock.sleeps, log: log.map((line) => JSON.parse(line)) };
}

test.each<SubscriberAnswer>([404, 413, 425, 429, 502, 503, 504].map((status) => ({ status })))(
  '%j is tried again five times, then dropped with a line in the log',
  async (answer) => {
    const { attempts, sleeps, log } = await send(Array.from({ length: 9 }, () => answer));
    expect(attempts).toBe(6);
    expect(sleeps).toEqual([100, 200, 400, 800, 1600]);
    expect(log).toMatchObject([{ level: 'error', event_id: 'e-1', msg: 'a source drops an event' }]);
    expect(new Set(sink.events.map(({ headers }) => headers['ce-id']))).toEqual(new Set(['e-1']));
  },
);

test.each([400, 401, 408, 409, 500, 501])('%d drops the event at once', async (status) => {
  expect(await send([{ status }])).toMatchObject({ attempts: 1, sleeps: [], log: [{ event_id: 'e-1' }] });
});

test('a sink that comes back within three seconds gets the event once more', async () => {
  expect(await send(['drop', { status: 503 }])).toMatchObject({ attempts: 3, sleeps: [100, 200], log: [] });
});
