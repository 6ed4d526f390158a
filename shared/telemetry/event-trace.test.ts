import { expect, test } from 'vitest';
import { createCallCounter } from '../host/call-counter.ts';
import { runInScope } from './event-scope.ts';
import { EventTrace, type Tracer } from './event-trace.ts';
import { inShortSpan, inSpan } from './in-span.ts';
import { Metrics } from './metrics.ts';
import { cloudObserver, kubernetesObserver } from './observe-calls.ts';
import { SpanBuffer } from './span-buffer.ts';

const parent = { traceId: 'a3ce929d0e0e47364bf92f3577b34da6', spanId: 'b7ad6b7169203331', sampled: true, state: 'v=1' };

interface Recorded {
  readonly tracer: Tracer;
  readonly buffer: SpanBuffer;
  dropped: number;
}

function recorder({ limit = 1000, sampled = true } = {}): Recorded {
  const drop = (count: number) => {
    recorded.dropped += count;
  };
  const buffer = new SpanBuffer(limit, drop);
  const recorded = { buffer, dropped: 0, tracer: { sampler: () => sampled, buffer, onDropped: drop } };
  return recorded;
}

function spansOf({ buffer }: Recorded) {
  return buffer.take(buffer.size);
}

/** Work within an event of a function, whose trace ends after it. */
async function handled(tracer: Tracer | undefined, work: () => unknown): Promise<Metrics> {
  const metrics = new Metrics();
  const trace = new EventTrace(tracer, parent);
  await runInScope({ functionName: 'create', metrics, trace, spanId: trace.spanId }, async () => work());
  trace.end('process x', {}, false);
  return metrics;
}

test('nothing is recorded before its event has ended', () => {
  const recorded = recorder();
  const trace = new EventTrace(recorded.tracer, parent);
  trace.add({ name: 'part', kind: 'internal', started: trace.started, attributes: {} });
  expect(recorded.buffer.size).toBe(0);
  trace.end('process x', { a: 1 }, true);
  const [part, own] = spansOf(recorded);
  expect(own).toMatchObject({ name: 'process x', kind: 'server', parentSpanId: parent.spanId, isParentRemote: true });
  expect(own).toMatchObject({ traceId: parent.traceId, state: 'v=1', attributes: { a: 1 }, isError: true });
  expect(part).toMatchObject({ traceId: parent.traceId, parentSpanId: own?.spanId, isParentRemote: false });
});

test('parts that ended before it was known which trace it is are of the same', () => {
  const recorded = recorder();
  const trace = new EventTrace(recorded.tracer, undefined);
  trace.add({ name: 'read', kind: 'internal', started: trace.started, attributes: {} });
  trace.continue(parent);
  trace.end('process x', {}, false);
  expect(spansOf(recorded).map(({ traceId }) => traceId)).toEqual([parent.traceId, parent.traceId]);
});

test('a part that outlives its event is recorded all the same', () => {
  const recorded = recorder();
  const trace = new EventTrace(recorded.tracer, parent);
  trace.end('process x', {}, false);
  trace.add({ name: 'late', kind: 'client', started: trace.started, attributes: {} });
  expect(spansOf(recorded).map(({ name }) => name)).toEqual(['process x', 'late']);
});

test('of a trace that is not sampled nothing is kept, and it goes on as such', () => {
  const recorded = recorder({ sampled: false });
  const trace = new EventTrace(recorded.tracer, parent);
  trace.end('process x', {}, false);
  expect(recorded.buffer.size).toBe(0);
  expect(trace.context()).toEqual({ ...parent, spanId: trace.spanId, sampled: false });
});

test('without a tracer the context of the sender goes on as it came, and none begins', () => {
  expect(new EventTrace(undefined, parent).context()).toEqual(parent);
  expect(new EventTrace(undefined, undefined).context()).toBeUndefined();
});

test('of one event 500 parts are kept, and the others counted', () => {
  const recorded = recorder();
  const trace = new EventTrace(recorded.tracer, parent);
  for (let count = 0; count < 510; count += 1)
    trace.add({ name: 'part', kind: 'internal', started: trace.started, attributes: {} });
  trace.end('process x', {}, false);
  expect([spansOf(recorded).length, recorded.dropped]).toEqual([501, 10]);
});

test('a buffer that is full counts what it does not take', () => {
  const recorded = recorder({ limit: 1 });
  const trace = new EventTrace(recorded.tracer, parent);
  trace.add({ name: 'part', kind: 'internal', started: trace.started, attributes: {} });
  trace.end('process x', {}, false);
  expect([recorded.buffer.size, recorded.dropped]).toEqual([1, 1]);
});

test('work within work is a span within its span, and tells of an error only its class', async () => {
  const recorded = recorder();
  await handled(recorded.tracer, async () => {
    await inSpan({ name: 'outer' }, async () => inShortSpan({ name: 'inner' }, () => 1));
    await inSpan({ name: 'failing' }, () => Promise.reject(new TypeError('s3cr3t'))).catch(() => undefined);
  });
  const [inner, outer, failing, own] = spansOf(recorded);
  expect(inner).toMatchObject({ name: 'inner', parentSpanId: outer?.spanId });
  expect(outer).toMatchObject({ name: 'outer', parentSpanId: own?.spanId, isError: false });
  expect(failing).toMatchObject({ name: 'failing', isError: true, attributes: { 'error.type': 'TypeError' } });
  expect(JSON.stringify([inner, outer, failing, own])).not.toContain('s3cr3t');
});

test.each([
  ['/v2.1/servers/7f5f1b3a-6f3c-4c5e-9b46-0a1b2c3d4e5f/os-interface', '/v2.1/servers/{id}/os-interface'],
  [`/v3/users/${'a1'.repeat(32)}/application_credentials`, '/v3/users/{id}/application_credentials'],
  [`/volume/v3/${'a1'.repeat(16)}/types/42`, '/volume/v3/{id}/types/{id}'],
  ['/v2.1/os-keypairs/alice', '/v2.1/os-keypairs/{id}'],
  ['/v2.0/networks', '/v2.0/networks'],
])('a call of the cloud is told without ids: %s', async (path, template) => {
  const recorded = recorder();
  const calls = createCallCounter();
  const call = { service: 'compute', method: 'GET', status: 200, durationMs: 1, attempt: 1 };
  await handled(recorded.tracer, () => cloudObserver(calls)({ ...call, path }));
  expect(calls.openstack).toBe(1);
  const [span] = spansOf(recorded);
  expect(span).toMatchObject({ name: 'GET compute', attributes: { 'url.template': template } });
});

test.each([
  ['with tracing', recorder().tracer],
  ['without', undefined],
])('calls and their repetitions are counted for the function that makes them, %s', async (_title, tracer) => {
  const call = { verb: 'get', resource: 'clusters', name: 'kube-abcde', durationMs: 1 } as const;
  const metrics = await handled(tracer, () => {
    const observe = kubernetesObserver('kubernetes');
    observe({ ...call, status: undefined, attempt: 1 });
    observe({ ...call, status: 503, attempt: 2 });
    observe({ ...call, status: 200, attempt: 3 });
  });
  const series = (name: string) => metrics.measured().find((one) => one.name === name)?.series;
  const ofFunction = { function: 'create', target: 'kubernetes' };
  expect(series('magnum_capi_api_calls_total')).toMatchObject(
    ['none', '5xx', '2xx'].map((status_class) => ({ labels: { ...ofFunction, status_class }, value: 1 })),
  );
  expect(series('magnum_capi_api_retries_total')).toMatchObject([{ labels: ofFunction, value: 2 }]);
});

test('work for no event is done without a span', async () => {
  expect(await inSpan({ name: 'outer' }, async () => inShortSpan({ name: 'inner' }, () => 1))).toBe(1);
});
