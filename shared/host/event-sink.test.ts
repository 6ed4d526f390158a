import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HTTP } from 'cloudevents';
import { afterEach, describe, expect, test } from 'vitest';
import { makeServerCertificate } from '../../test/cloud/openstack/certificate.ts';
import { instantClock } from '../kubernetes/testing/instant-clock.ts';
import { type ScriptedAnswer, startScriptedServer } from '../kubernetes/testing/scripted-server.ts';
import { createEventSink, type EventSinkOptions } from './event-sink.ts';

const event = {
  type: 'org.openstack.magnum.cluster.status.v1',
  dataschema: 'urn:schema',
  subject: 'a3f0',
  partitionkey: 'a3f0',
  time: new Date('2026-11-29T10:00:00.123Z'),
  data: { state: 'COMPLETE' },
};
const { signal } = new AbortController();

let close: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(close.map((end) => end()));
  close = [];
});

async function setUp(answers: readonly ScriptedAnswer[] = [], options: Partial<EventSinkOptions> = {}) {
  const server = await startScriptedServer({ answers });
  const clock = instantClock();
  const sink = createEventSink({ url: `${server.url}/ns/default`, source: '/functions/status', clock, ...options });
  close.push(() => sink.close(), server.close);
  return { server, clock, sink };
}

test('an event goes out in binary mode with the extensions of the sink, over one connection', async () => {
  const { server, sink } = await setUp([], { extensions: { region: 'one' } });
  await sink.post(event, signal);
  await sink.post(event, signal);
  const [first, second] = server.requests.map(({ headers, body }) => HTTP.toEvent({ headers, body: JSON.parse(body) }));
  expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/ns/default' });
  expect(first).toMatchObject({
    type: event.type,
    source: '/functions/status',
    subject: 'a3f0',
    partitionkey: 'a3f0',
    dataschema: 'urn:schema',
    time: '2026-11-29T10:00:00.123Z',
    region: 'one',
    data: { state: 'COMPLETE' },
  });
  expect(first).not.toMatchObject({ id: Object(second).id });
  expect(server.requests[0]?.headers.authorization).toBeUndefined();
  expect(server.connections()).toBe(1);
});

describe('what may pass is tried again under the same id', () => {
  test.each<[string, ScriptedAnswer]>([
    ['a broker that is not known yet', { status: 404 }],
    ['too many requests', { status: 429 }],
    ['a subscriber that failed', { status: 500 }],
    ['an ingress that restarts', { status: 503 }],
    ['a connection that breaks', 'drop'],
  ])('%s', async (_title, answer) => {
    const { server, sink } = await setUp([answer, answer]);
    await sink.post(event, signal);
    expect(server.requests).toHaveLength(3);
    expect(new Set(server.requests.map(({ headers }) => headers['ce-id'])).size).toBe(1);
  });

  test('until five attempts have failed', async () => {
    const { server, sink } = await setUp(Array(9).fill({ status: 503 }));
    await expect(sink.post(event, signal)).rejects.toMatchObject({ name: 'SinkError', sinkStatus: 503, status: 503 });
    expect(server.requests).toHaveLength(5);
  });

  test('also when no answer comes in time', async () => {
    const { server, sink } = await setUp(['hang'], { timeoutMs: 50 });
    await sink.post(event, signal);
    expect(server.requests).toHaveLength(2);
  });

  test('as late as Retry-After says, in seconds or as a date', async () => {
    const date = new Date(Date.parse('2026-01-01T00:00:00Z') + 7000).toUTCString();
    const { clock, sink } = await setUp([
      { status: 429, headers: { 'retry-after': '3' } },
      { status: 503, headers: { 'retry-after': date } },
    ]);
    await sink.post(event, signal);
    expect(clock.sleeps).toEqual([3000, 4000]);
  });

  test('but not where the sink asks for more time than an event has', async () => {
    const { server, sink } = await setUp([{ status: 503, headers: { 'retry-after': '60' } }]);
    await expect(sink.post(event, signal)).rejects.toMatchObject({ sinkStatus: 503, retryAfter: 60 });
    expect(server.requests).toHaveLength(1);
  });
});

test.each([400, 401, 403, 413, 302])('what the sink refuses with %d is not tried again', async (status) => {
  const { server, sink } = await setUp([{ status }]);
  await expect(sink.post(event, signal)).rejects.toMatchObject({ name: 'SinkError', sinkStatus: status });
  expect(server.requests).toHaveLength(1);
});

test('a sink that nobody listens at is an error with its cause', async () => {
  const { server, sink } = await setUp();
  await server.close();
  await expect(sink.post(event, signal)).rejects.toMatchObject({
    name: 'SinkError',
    sinkStatus: undefined,
    cause: { code: 'ECONNREFUSED' },
  });
});

test('an event whose time is up is given up with the reason, while it is sent and while it waits', async () => {
  const reason = new Error('time is up');
  const { server, sink } = await setUp(['hang'], { concurrency: 1 });
  const controller = new AbortController();
  const sent = [1, 2].map(() => sink.post(event, controller.signal));
  const ended = Promise.all(sent.map((one) => expect(one).rejects.toBe(reason)));
  while (server.requests.length === 0) await new Promise(setImmediate);
  controller.abort(reason);
  await ended;
  expect(server.requests).toHaveLength(1);
});

test('no more events than allowed are sent at once', async () => {
  const { server, sink } = await setUp([], { concurrency: 2 });
  await Promise.all(Array.from({ length: 10 }, () => sink.post(event, signal)));
  expect(server.requests).toHaveLength(10);
  expect(server.connections()).toBe(2);
});

test('the token of a SinkBinding is sent as bearer, and read anew for each event', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'magnum-sink-'));
  close.push(() => rm(directory, { recursive: true }));
  const tokenFile = join(directory, 'token');
  const { server, sink } = await setUp([], { tokenFile });
  for (const token of ['one', 'two']) {
    await writeFile(tokenFile, `${token}\n`);
    await sink.post(event, signal);
  }
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer one', 'Bearer two']);
});

test('a sink with a private authority is reached over TLS, and without that authority it is not', async () => {
  const { caCertificate, ...tls } = await makeServerCertificate();
  const server = await startScriptedServer({ tls });
  close.push(server.close);
  const options = { url: server.url, source: '/functions/status', clock: instantClock() };
  const trusting = createEventSink({ ...options, caCertificates: caCertificate });
  const distrusting = createEventSink(options);
  close.push(trusting.close, distrusting.close);
  await trusting.post(event, signal);
  await expect(distrusting.post(event, signal)).rejects.toMatchObject({ name: 'SinkError', sinkStatus: undefined });
  expect(server.requests).toHaveLength(1);
});
