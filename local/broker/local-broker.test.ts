import { afterEach, describe, expect, test } from 'vitest';
import type { CarriedEvent } from '../../shared/event/carried-event.ts';
import { createLogger } from '../../shared/host/logger.ts';
import { systemClock } from '../../shared/kubernetes/clock.ts';
import { instantClock } from '../../shared/kubernetes/testing/instant-clock.ts';
import type { Broker, DeliverySpec, Trigger } from '../manifests/knative-objects.ts';
import { type SubscriberAnswer, type SubscriberUnderTest, startSubscriber } from '../testing/subscriber.ts';
import { DeadLetters } from './dead-letters.ts';
import { LocalBroker, type LocalBrokerOptions } from './local-broker.ts';

const broker: Broker = { metadata: { name: 'magnum', namespace: 'magnum-system' }, spec: {} };
const reference: CarriedEvent = {
  attributes: { specversion: '1.0', id: 'ref-1', source: 'https://10.0.0.1', type: 'ref', namespace: '', name: 'é' },
  contentType: 'application/json',
  body: Buffer.from('{"kind":"Cluster"}'),
};
const replyHeaders = { 'ce-specversion': '1.0', 'ce-id': 'ref-1:reply', 'ce-source': '/f', 'ce-type': 'report' };

const subscribers: SubscriberUnderTest[] = [];
afterEach(async () => {
  await Promise.all(subscribers.splice(0).map((one) => one.close()));
});

interface Scene {
  readonly answers?: readonly SubscriberAnswer[];
  readonly delivery?: DeliverySpec;
  readonly types?: readonly string[];
  readonly options?: Partial<LocalBrokerOptions>;
}

/** A broker with one subscriber that answers as told. */
async function sceneWith({ answers = [], delivery = {}, types = ['ref'], options = {} }: Scene) {
  const subscriber = await startSubscriber(answers);
  subscribers.push(subscriber);
  const deadLetters = new DeadLetters();
  const clock = instantClock();
  const log: string[] = [];
  const seen: string[] = [];
  const triggers: Trigger[] = types.map((type) => ({
    metadata: { name: `of-${type}`, namespace: 'magnum-system' },
    spec: {
      broker: 'magnum',
      filters: [{ exact: { type } }],
      subscriber: { uri: subscriber.url },
      delivery: { backoffPolicy: 'exponential', backoffDelay: 100, ...delivery },
    },
  }));
  const local = new LocalBroker({
    broker,
    triggers,
    resolve: (destination) => ('uri' in destination ? destination.uri : undefined),
    deadLetters,
    logger: createLogger({ destination: { write: (line) => void log.push(line) } }),
    onEvent: ({ attributes }) => void seen.push(attributes['type'] ?? ''),
    clock,
    ...options,
  });
  return { local, subscriber, deadLetters, clock, log, seen };
}

const kept = { deadLetterSink: { uri: 'http://dead.invalid/' } };

describe('a subscriber is sent', () => {
  test('the event in binary mode with what a broker adds, and without its time to live', async () => {
    const { local, subscriber } = await sceneWith({});
    local.accept(reference);
    await local.idle();
    expect(subscriber.events).toHaveLength(1);
    const [{ headers, body } = { headers: {}, body: '' }] = subscriber.events;
    expect(headers).toMatchObject({
      'ce-id': 'ref-1',
      'ce-namespace': '',
      'ce-name': '%C3%A9',
      'ce-knativearrivaltime': '2026-01-01T00:00:00.000Z',
      'content-type': 'application/json',
      prefer: 'reply',
      'kn-namespace': 'magnum-system',
    });
    expect(headers).not.toHaveProperty('ce-knativebrokerttl');
    expect(body).toBe('{"kind":"Cluster"}');
  });

  test('nothing that its Trigger does not select, nor what is for another broker', async () => {
    const { local, subscriber, seen } = await sceneWith({ types: ['other'] });
    local.accept(reference);
    await local.idle();
    expect(subscriber.events).toHaveLength(0);
    expect(seen).toEqual(['ref']);
    const elsewhere = await sceneWith({
      options: { broker: { ...broker, metadata: { ...broker.metadata, name: 'x' } } },
    });
    elsewhere.local.accept(reference);
    await elsewhere.local.idle();
    expect(elsewhere.subscriber.events).toHaveLength(0);
  });
});

describe('an answer', () => {
  test.each([400, 401, 403, 410, 413, 422, 301])('%d is final: a dead letter', async (status) => {
    const { local, subscriber, deadLetters, log } = await sceneWith({
      answers: [{ status, body: 'because' }],
      delivery: { retry: 3, ...kept },
    });
    local.accept(reference);
    await local.idle();
    expect(subscriber.events).toHaveLength(1);
    expect(deadLetters.events).toHaveLength(1);
    expect(deadLetters.events[0]).toMatchObject({
      attributes: {
        id: 'ref-1',
        knativeerrordest: subscriber.url,
        knativeerrorcode: String(status),
        knativeerrordata: Buffer.from('because').toString('base64'),
      },
      body: reference.body,
    });
    expect(JSON.parse(log[0] ?? '')).toMatchObject({ level: 'error', trigger: 'of-ref', event_id: 'ref-1', status });
  });

  test.each<SubscriberAnswer>([
    { status: 404 },
    { status: 408 },
    { status: 409 },
    { status: 429 },
    { status: 500 },
    { status: 503 },
    'drop',
    { status: 200, body: 'plain text', headers: { 'content-type': 'text/plain' } },
    { status: 200, body: '{"json":true}', headers: { 'content-type': 'application/json' } },
    { status: 202, body: 'taken' },
  ])('%j is tried again, waiting twice as long each time', async (answer) => {
    const { local, subscriber, deadLetters, clock } = await sceneWith({
      answers: [answer, answer, answer],
      delivery: { retry: 5 },
    });
    local.accept(reference);
    await local.idle();
    expect(subscriber.events).toHaveLength(4);
    expect(new Set(subscriber.events.map(({ headers }) => headers['ce-id']))).toEqual(new Set(['ref-1']));
    expect(clock.sleeps).toEqual([100, 200, 400]);
    expect(deadLetters.events).toHaveLength(0);
  });

  test('that never is a success ends in a dead letter after the last retry, with what came back', async () => {
    const plain = { status: 200, body: 'no event' };
    const { local, subscriber, deadLetters, clock } = await sceneWith({
      answers: [plain, plain, plain],
      delivery: { retry: 2, ...kept },
    });
    local.accept(reference);
    await local.idle();
    expect(subscriber.events).toHaveLength(3);
    expect(clock.sleeps).toEqual([100, 200]);
    expect(deadLetters.events[0]?.attributes).toMatchObject({ knativeerrorcode: '502' });
  });

  test('that does not come in time is a failure', async () => {
    const { local, deadLetters } = await sceneWith({ answers: ['hang'], delivery: { retry: 0, timeout: 50, ...kept } });
    local.accept(reference);
    await local.idle();
    expect(deadLetters.events[0]?.attributes).toMatchObject({ knativeerrorcode: '500' });
  });

  test('waits linearly where the policy says so', async () => {
    const answers = [{ status: 503 }, { status: 503 }, { status: 503 }];
    const { local, clock } = await sceneWith({ answers, delivery: { retry: 3, backoffPolicy: 'linear' } });
    local.accept(reference);
    await local.idle();
    expect(clock.sleeps).toEqual([0, 100, 200]);
  });

  test('is lost with a line in the log where there is no dead letter sink', async () => {
    const { local, deadLetters, log } = await sceneWith({ answers: [{ status: 400 }], delivery: { retry: 0 } });
    local.accept(reference);
    await local.idle();
    expect(deadLetters.events).toHaveLength(0);
    expect(log).toHaveLength(1);
  });
});

describe('a reply', () => {
  test('comes into the broker as an event of its own', async () => {
    const answers = [
      { status: 200, headers: { ...replyHeaders, 'content-type': 'application/json' }, body: '{"a":1}' },
    ];
    const { local, subscriber, seen } = await sceneWith({ answers, types: ['ref', 'report'] });
    local.accept(reference);
    await local.idle();
    expect(seen).toEqual(['ref', 'report']);
    expect(subscriber.events[1]).toMatchObject({ headers: { 'ce-id': 'ref-1:reply' }, body: '{"a":1}' });
  });

  test('that answers 202 or 204 goes nowhere', async () => {
    const answers = [202, 204].map((status) => ({ status, headers: replyHeaders }));
    const { local, seen } = await sceneWith({ answers });
    local.accept(reference);
    local.accept(reference);
    await local.idle();
    expect(seen).toEqual(['ref', 'ref']);
  });

  test('to its own kind ends when its time to live does', async () => {
    const answers = Array.from({ length: 300 }, () => ({
      status: 200,
      headers: { ...replyHeaders, 'ce-type': 'ref' },
    }));
    const { local, subscriber, log } = await sceneWith({ answers });
    local.accept(reference);
    await local.idle();
    expect(subscriber.events).toHaveLength(255);
    expect(JSON.parse(log[0] ?? '')).toMatchObject({ msg: 'a reply is dropped' });
  });
});

test('an event whose time to live is over is refused', async () => {
  const { local } = await sceneWith({});
  const tired = { ...reference, attributes: { ...reference.attributes, knativebrokerttl: '1' } };
  expect(() => local.accept(tired)).toThrow('too often');
});

test('a broker that stops waits for no subscriber', async () => {
  const { local, subscriber, deadLetters } = await sceneWith({ answers: ['hang'], delivery: { retry: 9, ...kept } });
  local.accept(reference);
  await subscriber.received(1);
  local.stop();
  await local.idle();
  expect(deadLetters.events).toHaveLength(0);
});

test('a disturbed broker delivers events more than once and in another order', async () => {
  const disturbance = { duplicates: 1, reorder: 4 };
  const { local, subscriber } = await sceneWith({ options: { disturbance, clock: systemClock } });
  local.accept(reference);
  local.accept({ ...reference, attributes: { ...reference.attributes, id: 'ref-2' } });
  await local.idle();
  expect(subscriber.events.map(({ headers }) => headers['ce-id']).toSorted()).toEqual([
    'ref-1',
    'ref-1',
    'ref-2',
    'ref-2',
  ]);
});

test('beyond their limit the oldest dead letters go', () => {
  const deadLetters = new DeadLetters(2);
  for (const id of ['1', '2', '3']) {
    deadLetters.add(
      { ...reference, attributes: { id } },
      { destination: 'http://x/', status: 500, data: 'x'.repeat(2000) },
    );
  }
  expect(deadLetters.events.map(({ attributes }) => attributes['id'])).toEqual(['2', '3']);
  expect(deadLetters.events[0]?.attributes['knativeerrordata']).toHaveLength(1024);
});
