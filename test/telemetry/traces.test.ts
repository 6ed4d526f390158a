import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { startScriptedServer } from '../../shared/kubernetes/testing/scripted-server.ts';
import { metricTable } from '../../shared/telemetry/metric-table.ts';
import { pingEvent, post } from '../bench/post-change.ts';
import { createEvent } from '../functions/create-event.ts';
import type { ExampleEvent } from '../functions/example-event.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { type Collector, type ReceivedSpan, startCollector } from './collector.ts';

const stage = stageOfFile();

const traceId = 'a3ce929d0e0e47364bf92f3577b34da6';
const sender = 'b7ad6b7169203331';
const sampled = `00-${traceId}-${sender}-01`;

let collector: Collector;

beforeEach(async () => {
  collector = await startCollector();
});

afterEach(() => collector.stop());

function startCreate(variables: Readonly<Record<string, string>> = {}) {
  return stage().startAnother({ variables: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...variables } });
}

/** Has an event of its own handled by a function of its own, and gives what came of it after the function has ended. */
async function traced(extensions: Readonly<Record<string, string>>, variables?: Readonly<Record<string, string>>) {
  const event = { ...(await createEvent(stage().cloud)), ...extensions };
  const create = await startCreate(variables);
  const answer = await stage().send(event, create.url);
  acceptedStackId(answer);
  await create.stop();
  return { event, answer, lines: create.logLines.map((line) => JSON.parse(line)) };
}

describe('an event with a trace of its sender', () => {
  test('is a span of that trace, and its calls, its wait for the Lease and its rendering are the spans within it', async () => {
    const { event, answer, lines } = await traced({ traceparent: sampled, tracestate: 'vendor=1' });
    const own = spanNamed(`process ${event.type}`);
    expect(own).toMatchObject({ traceId, parentSpanId: sender, traceState: 'vendor=1', kind: 2, status: { code: 0 } });
    expect(own.attributes).toMatchObject({
      'faas.name': 'create',
      'http.response.status_code': 200,
      'cloudevents.event_id': event.id,
      'cloudevents.event_type': event.type,
      'cloudevents.event_subject': event.subject,
      'magnum_capi.outcome': 'accepted',
    });
    expect(answer.headers).toMatchObject({
      'ce-traceparent': `00-${traceId}-${own.spanId}-01`,
      'ce-tracestate': 'vendor=1',
    });
    for (const name of ['wait for lease', 'render Secrets', 'render Cluster', 'create tokenreviews', 'GET image']) {
      expect(spanNamed(name)).toMatchObject({ traceId, parentSpanId: own.spanId });
    }
    expect(spanNamed('create leases').parentSpanId).toBe(spanNamed('wait for lease').spanId);
    for (const span of collector.spans) {
      expect(span.startTimeUnixNano).toBeGreaterThanOrEqual(own.startTimeUnixNano);
      expect(span.endTimeUnixNano).toBeLessThanOrEqual(own.endTimeUnixNano);
    }
    expect(new Set(collector.spans.map(({ spanId }) => spanId)).size).toBe(collector.spans.length);
    expect(lines.find(({ msg }) => msg === 'event')).toMatchObject({ trace_id: traceId, span_id: own.spanId });
    expect(collector.resources[0]).toMatchObject({ 'service.name': 'magnum-create', 'faas.name': 'create' });
  });

  test('shows no secret of it, of the cloud or of its keys, and no id in the path of a call', async () => {
    const { event } = await traced({ traceparent: sampled });
    const sent = collector.payloads.join('\n');
    expect(sent).toContain(event.subject);
    for (const secret of secretsOf(event)) expect(sent).not.toContain(secret);
    expect(sent).not.toContain('PRIVATE KEY');
    const templates = collector.spans.flatMap((span) => span.attributes['url.template'] ?? []);
    expect(templates).toContain('/identity/v3/users/{id}/application_credentials');
  });

  test('that is not sampled leaves no span, and goes on in its reply all the same', async () => {
    const { answer } = await traced({ traceparent: `00-${traceId}-${sender}-00` });
    expect(answer.headers['ce-traceparent']).toMatch(new RegExp(`^00-${traceId}-(?!${sender})[\\da-f]{16}-00$`));
    expect(collector.spans).toEqual([]);
  });

  test('begins another where the context is not valid', async () => {
    const { event } = await traced({ traceparent: `00-${traceId}-${'0'.repeat(16)}-01` });
    const own = spanNamed(`process ${event.type}`);
    expect(own.parentSpanId ?? '').toBe('');
    expect(own.traceId).not.toBe(traceId);
  });

  test('is not recorded where the sampler takes none, nor where the SDK is switched off', async () => {
    await traced({ traceparent: sampled }, { OTEL_TRACES_SAMPLER: 'always_off' });
    await traced({ traceparent: sampled }, { OTEL_SDK_DISABLED: 'true' });
    expect(collector.spans).toEqual([]);
  });
});

test('a report that answers no event goes on in the trace of the tick that asked for it', async () => {
  const sink = await startScriptedServer({ answers: [] });
  acceptedStackId(await stage().send(await createEvent(stage().cloud)));
  const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, K_SINK: sink.url };
  const health = await stage().startAnother({ name: 'health', variables });
  const tick = pingEvent();
  await post(health.url, { ...tick, attributes: { ...tick.attributes, traceparent: sampled } });
  await health.stop();
  await sink.close();
  const own = spanNamed('process dev.knative.sources.ping');
  const resync = spanNamed('resync');
  expect([own, resync]).toMatchObject([{ parentSpanId: sender }, { parentSpanId: own.spanId }]);
  const published = collector.spans.filter(({ name }) => name === 'publish org.openstack.magnum.cluster.health.v1');
  expect(published).not.toEqual([]);
  expect(published.every((span) => span.traceId === traceId && span.parentSpanId === resync.spanId)).toBe(true);
  const carried = published.map(({ spanId }) => `00-${traceId}-${spanId}-01`).toSorted();
  expect(sink.requests.map(({ headers }) => headers['ce-traceparent']).toSorted()).toEqual(carried);
  expect(sink.requests.map(({ headers }) => headers['traceparent']).toSorted()).toEqual(carried);
});

test('what a function has measured arrives before it is gone', async () => {
  const { event } = await traced({});
  const ofEvent = { function: 'create', type: event.type };
  expect(collector.metric('magnum_capi_events_total', { ...ofEvent, outcome: 'accepted', status: '200' })).toBe(1);
  expect(collector.metric('magnum_capi_event_duration_seconds', ofEvent)).toBe(1);
  expect(collector.metric('magnum_capi_lease_wait_seconds', { outcome: 'acquired' })).toBe(1);
  expect(collector.metric('magnum_capi_api_calls_total', { target: 'kubernetes' })).toBeGreaterThan(12);
  expect(collector.metric('magnum_capi_api_calls_total', { target: 'openstack' })).toBeGreaterThan(8);
  expect(collector.metric('process_resident_memory_bytes')).toBeGreaterThan(1e7);
  // What is measured only when somebody asks.
  const { memory, processStart, processorSeconds, eventLoopSeconds, inFlight } = metricTable;
  const asked = [memory, processStart, processorSeconds, eventLoopSeconds, inFlight].map(({ name }) => name);
  expect(collector.metricNames()).toEqual(expect.arrayContaining(asked));
});

describe('a collector that', () => {
  test.each(['refuses', 'is slow', 'answers garbage'] as const)(
    '%s changes no answer and does not hold the end up',
    async (mood) => {
      collector.mood = mood;
      const create = await startCreate({ OTEL_BSP_SCHEDULE_DELAY: '50', OTEL_EXPORTER_OTLP_TIMEOUT: '1000' });
      for (let count = 0; count < 3; count += 1)
        acceptedStackId(await stage().send(await createEvent(stage().cloud), create.url));
      await create.stop();
      expect(create.logLines.filter((line) => line.includes('"level":"fatal"'))).toEqual([]);
    },
  );

  test('is not there changes no answer, and what is lost is counted and told once', async () => {
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:9';
    const create = await startCreate({
      OTEL_EXPORTER_OTLP_ENDPOINT,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_EXPORTER_OTLP_TIMEOUT: '200',
    });
    acceptedStackId(await stage().send(await createEvent(stage().cloud), create.url));
    await expect
      .poll(async () => (await fetch(`${create.url}metrics`)).text(), { timeout: 20_000 })
      .toMatch(/magnum_capi_telemetry_dropped_spans_total\{reason="export failed"\} [1-9]/);
    acceptedStackId(await stage().send(await createEvent(stage().cloud), create.url));
    const told = create.logLines.filter((line) => line.includes('telemetry is lost') && line.includes('traces'));
    expect(told).toHaveLength(1);
  });
});

function spanNamed(name: string): ReceivedSpan {
  const found = collector.spans.find((span) => span.name === name);
  if (found === undefined)
    throw new Error(`No span ${name} among ${collector.spans.map((span) => span.name).join(', ')}.`);
  return found;
}

/** What is secret in the event, and what the function has got for it in the cloud. */
function secretsOf({ data }: ExampleEvent): readonly string[] {
  const token = String(data.context['token']);
  const certificates = z.record(z.string(), z.object({ private_key: z.string() })).parse(data['certificates']);
  const keys = Object.values(certificates).flatMap(({ private_key }) => private_key.split('\n')[1] ?? []);
  const { callerToken, functionToken } = stage().access;
  return [
    token,
    callerToken,
    functionToken,
    ...keys,
    ...stage().cloud.state.applicationCredentials.flatMap(({ secret }) => secret ?? []),
  ];
}
