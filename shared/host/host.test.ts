import { HTTP } from 'cloudevents';
import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { BusyError, DependencyError, DriverError, InvalidEventError, RejectedError } from '../contract/errors.ts';
import type { CloudEventIn, CloudEventOut } from './cloud-event.ts';
import { type EventFunction, eventFunction, type FunctionContext } from './event-function.ts';
import {
  type Answer,
  brokerHeaders,
  type HostUnderTest,
  hostUnderTest,
  replyType,
  requestData,
  requestHeaders,
  requestType,
} from './testing/host-under-test.ts';

let host: HostUnderTest;
afterEach(() => host.close());

function functionThat(handle: (context: FunctionContext, event: CloudEventIn) => Promise<CloudEventOut | undefined>): {
  routes: Record<string, EventFunction>;
} {
  return { routes: { '/': { name: 'create', accepts: { [requestType]: z.unknown() }, handle } } };
}

function throwing(error: unknown) {
  return functionThat(async () => {
    throw error;
  });
}

function problem(answer: Answer): unknown {
  expect(answer.headers['content-type']).toBe('application/problem+json');
  return JSON.parse(answer.body);
}

describe('an event is answered', () => {
  test('with a reply event whose id follows from its own', async () => {
    host = await hostUnderTest({ now: () => new Date('2026-11-29T12:00:00Z') });
    const answer = await host.invoke();
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'ce-specversion': '1.0',
      'ce-id': 'req-1:reply',
      'ce-source': '/functions/create',
      'ce-type': replyType,
      'ce-subject': requestData.cluster.uuid,
      'ce-partitionkey': requestData.cluster.uuid,
      'ce-time': '2026-11-29T12:00:00.000Z',
    });
    expect(JSON.parse(answer.body)).toEqual({ id: 'req-1' });
  });

  test('with a reply that the CloudEvents library takes as valid', async () => {
    host = await hostUnderTest(
      functionThat(async () => ({
        type: 'x.y',
        data: { é: '€' },
        subject: 'größe "5%"',
        dataschema: 'https://example.org/s',
      })),
    );
    const { headers, body } = await host.invoke();
    const event = HTTP.toEvent({ headers, body });
    expect(event).toMatchObject({ id: 'req-1:reply', data: { é: '€' }, dataschema: 'https://example.org/s' });
    expect(headers['ce-subject']).toBe('gr%C3%B6%C3%9Fe%20%225%25%22');
  });

  test('with a reply of an own time and further attributes', async () => {
    const time = new Date('2026-11-29T11:00:00Z');
    const reply = { type: 'x.y', data: {}, time, extensions: { region: 'one' } };
    host = await hostUnderTest(functionThat(async () => reply));
    const { headers } = await host.invoke();
    expect(headers).toMatchObject({ 'ce-time': '2026-11-29T11:00:00.000Z', 'ce-region': 'one' });
  });

  test('with 204 and nothing else when the function says nothing', async () => {
    host = await hostUnderTest();
    const answer = await host.send({ headers: brokerHeaders, body: '{}' });
    expect(answer).toMatchObject({ status: 204, body: '' });
    expect(answer.headers).not.toHaveProperty('content-type');
    expect(host.events()).toMatchObject([{ outcome: 'ignored', status: 204, level: 'info' }]);
  });

  test('the same when it is delivered again', async () => {
    host = await hostUnderTest({ now: () => new Date(0) });
    const [first, second] = [await host.invoke(), await host.invoke()];
    expect({ ...second, headers: { ...second.headers, date: '' } }).toEqual({
      ...first,
      headers: { ...first.headers, date: '' },
    });
  });

  test('with a reply event that lists the faults when the operation is rejected', async () => {
    const fault = {
      code: 'invalid_label',
      message: 'The label kube_tag is not a version.',
      field: 'labels.kube_tag',
    } as const;
    host = await hostUnderTest(throwing(new RejectedError([fault, { code: 'not_found', message: 'No image x.' }])));
    const answer = await host.invoke();
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'ce-type': 'org.openstack.magnum.operation.rejected.v1',
      'ce-id': 'req-1:reply',
    });
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'invalid_label', faults: [fault, { code: 'not_found' }] });
    expect(host.events()).toMatchObject([{ outcome: 'rejected', status: 200, code: 'invalid_label' }]);
  });

  test.each([
    [new InvalidEventError('No.'), 400, undefined, { code: 'invalid_event', message: 'No.' }, 'invalid'],
    [new BusyError('Locked.'), 429, '2', { code: 'busy', message: 'Locked.' }, 'busy'],
    [new BusyError('Locked.', { retryAfter: 0.2 }), 429, '1', { code: 'busy', message: 'Locked.' }, 'busy'],
    [new DependencyError('Down.'), 503, '5', { code: 'dependency_unavailable', message: 'Down.' }, 'unavailable'],
    [
      new DependencyError('Down.', { retryAfter: 30 }),
      503,
      '30',
      { code: 'dependency_unavailable', message: 'Down.' },
      'unavailable',
    ],
  ])('by the status of %s', async (error, status, retryAfter, body, outcome) => {
    host = await hostUnderTest(throwing(error));
    const answer = await host.invoke();
    expect(answer.status).toBe(status);
    expect(answer.headers['retry-after']).toBe(retryAfter);
    expect(problem(answer)).toEqual(body);
    expect(host.events()).toMatchObject([{ outcome, status, code: body.code, event_id: 'req-1' }]);
  });

  const internal = (status: number) => new DriverError('Odd.', { code: 'internal', status, retryable: false });
  test.each([
    ['a TypeError', new TypeError('x is not a function')],
    ['a text', 'oops'],
    ['undefined', undefined],
    ...[200, 404, 409, 422, 500].map((status): [string, unknown] => [
      `an error with status ${status}`,
      internal(status),
    ]),
  ])('with 503 and without details when the function throws %s', async (_title, error) => {
    host = await hostUnderTest(throwing(error));
    const answer = await host.invoke();
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('5');
    expect(problem(answer)).toMatchObject({ code: 'internal', message: expect.stringContaining('its log') });
    expect(host.events()).toMatchObject([{ outcome: 'failed', level: 'error', code: 'internal' }]);
  });

  test('with 503 when the reply cannot be written as JSON', async () => {
    host = await hostUnderTest(functionThat(async () => ({ type: 'x', data: 1n })));
    expect((await host.invoke()).status).toBe(503);
  });

  test('with 503 when the function takes too long, and its signal aborts', async () => {
    let signal: AbortSignal | undefined;
    const handle = (context: FunctionContext) => {
      signal = context.signal;
      return new Promise<undefined>(() => undefined);
    };
    host = await hostUnderTest({ ...functionThat(handle), eventTimeout: 30, drainTime: 0 });
    const answer = await host.invoke();
    expect(answer.status).toBe(503);
    expect(problem(answer)).toMatchObject({ code: 'dependency_unavailable' });
    expect(signal?.aborted).toBe(true);
  }, 10_000);
});

describe('a function is given', () => {
  test('the event with data that its schema has parsed', async () => {
    let received: unknown;
    const schema = z.object({ cluster: z.object({ uuid: z.string() }), timeout: z.number().default(60) });
    const create = eventFunction({
      name: 'create',
      accepts: { [requestType]: schema },
      async handle(_context, event) {
        received = event;
        return undefined;
      },
    });
    host = await hostUnderTest({ routes: { '/': create } });
    await host.invoke({ 'ce-traceparent': '00-ab', 'ce-empty': '' });
    expect(received).toEqual({
      id: 'req-1',
      source: '/magnum/conductor',
      type: requestType,
      subject: requestData.cluster.uuid,
      time: '2026-11-29T10:00:00.123456Z',
      extensions: { partitionkey: requestData.cluster.uuid, traceparent: '00-ab', empty: '' },
      data: { ...requestData, timeout: 60 },
    });
  });

  test('a logger that names the event, and a counter for its line in the log', async () => {
    host = await hostUnderTest(
      functionThat(async ({ log, calls }) => {
        calls.count('kubernetes');
        calls.count('kubernetes');
        calls.count('openstack');
        log.info({ stack_id: 'kube-abcde' }, 'working');
        return undefined;
      }),
    );
    await host.invoke();
    const cluster = requestData.cluster.uuid;
    expect(JSON.parse(host.log[0]!)).toMatchObject({
      msg: 'working',
      stack_id: 'kube-abcde',
      event_id: 'req-1',
      cluster,
    });
    expect(host.events()).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        function: 'create',
        event_id: 'req-1',
        event_type: requestType,
        cluster,
        outcome: 'ignored',
        status: 204,
        duration_ms: expect.any(Number),
        kubernetes_calls: 2,
        openstack_calls: 1,
        msg: 'event',
      },
    ]);
  });
});

describe('a path', () => {
  test.each([
    ['GET', '/health/liveness', 200, 'alive\n'],
    ['HEAD', '/health/liveness', 200, ''],
    ['GET', '/health/readiness?probe=1', 200, 'ready\n'],
    ['POST', '/health/readiness', 405, 'Only GET, HEAD is allowed here.\n'],
    ['GET', '/', 405, 'Only POST is allowed here.\n'],
    ['DELETE', '/', 405, 'Only POST is allowed here.\n'],
    ['GET', '/nothing', 404, 'There is nothing here.\n'],
    ['POST', '/constructor', 404, 'There is nothing here.\n'],
    ['POST', '//', 404, 'There is nothing here.\n'],
  ])('%s %s gives %d', async (method, path, status, body) => {
    host = await hostUnderTest();
    const answer = await host.send({ method, path });
    expect(answer).toMatchObject({ status, body });
    expect(answer.headers['ce-id']).toBeUndefined();
    expect(Object.keys(answer.headers)).not.toContain('x-powered-by');
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('takes the events of its own function when several share a port', async () => {
    const reply = (name: string): EventFunction => ({
      name,
      accepts: { [requestType]: z.unknown() },
      handle: async () => ({ type: 'x', data: name }),
    });
    host = await hostUnderTest({ routes: { '/create': reply('create'), '/delete': reply('delete') } });
    const answer = await host.send({ path: '/delete', headers: requestHeaders });
    expect(answer).toMatchObject({ status: 200, body: '"delete"', headers: { 'ce-source': '/functions/delete' } });
    expect(await host.send({ headers: requestHeaders })).toMatchObject({ status: 404 });
  });
});

test('metrics count events by known type, outcome and status, and never by what a sender makes up', async () => {
  host = await hostUnderTest();
  await host.invoke();
  await host.invoke({ 'ce-type': 'made"up\\1' });
  const { body } = await host.send({ method: 'GET', path: '/metrics' });
  expect(body).toContain(
    `magnum_capi_events_total{function="create",type="${requestType}",outcome="accepted",status="200"} 1\n`,
  );
  expect(body).toContain('magnum_capi_events_total{function="create",type="other",outcome="invalid",status="400"} 1\n');
  expect(body).toContain('magnum_capi_events_in_flight 0\n');
  expect(body).not.toContain('made');
});
