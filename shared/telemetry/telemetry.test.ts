import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TelemetryExporter } from './exporter.ts';
import type { Span } from './span.ts';
import { createTelemetry, type TelemetryOptions } from './telemetry.ts';

const settings = {
  traces: true,
  metrics: true,
  sampler: { name: 'always_on', ratio: 1 },
  functionName: 'create',
  version: '1',
} as const;

const span: Span = {
  name: 'x',
  kind: 'internal',
  traceId: 'a3ce929d0e0e47364bf92f3577b34da6',
  spanId: 'b7ad6b7169203331',
  parentSpanId: undefined,
  isParentRemote: false,
  state: '',
  start: 0,
  end: 1,
  attributes: {},
  isError: false,
};

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

/** Telemetry with what becomes of its exporter. */
function watched(options: Partial<TelemetryOptions> = {}) {
  const seen = { loads: 0, exports: 0, closed: 0, faults: [] as string[] };
  const exporter: TelemetryExporter = {
    exportSoon() {
      seen.exports += 1;
    },
    async close() {
      seen.closed += 1;
    },
  };
  const telemetry = createTelemetry({
    settings,
    onFault: (fault) => seen.faults.push(fault),
    async load() {
      seen.loads += 1;
      return { startExporter: () => exporter };
    },
    ...options,
  });
  return { telemetry, seen };
}

test('the exporter is loaded only after an event, in a moment when none is handled', async () => {
  const { telemetry, seen } = watched();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(seen.loads).toBe(0);
  telemetry.eventAnswered(1);
  await vi.advanceTimersByTimeAsync(5000);
  expect(seen.loads).toBe(0);
  telemetry.eventAnswered(0);
  await vi.advanceTimersByTimeAsync(1000);
  expect(seen.loads).toBe(1);
  telemetry.eventAnswered(0);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(seen.loads).toBe(1);
});

test('a function that is never quiet loads it after 20 seconds all the same', async () => {
  const { telemetry, seen } = watched();
  telemetry.eventAnswered(7);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(seen.loads).toBe(0);
  await vi.advanceTimersByTimeAsync(2000);
  expect(seen.loads).toBe(1);
});

test('without an endpoint it is never loaded, and no trace is recorded', async () => {
  const { telemetry, seen } = watched({ settings: { ...settings, traces: false, metrics: false } });
  telemetry.eventAnswered(0);
  await vi.advanceTimersByTimeAsync(60_000);
  await telemetry.close();
  expect([seen.loads, telemetry.tracer]).toEqual([0, undefined]);
});

test('a process that ends right after its event loads it to send what there is, and closes it', async () => {
  const { telemetry, seen } = watched();
  telemetry.eventAnswered(0);
  await telemetry.close();
  expect([seen.loads, seen.closed]).toEqual([1, 1]);
});

test('a process that had no event ends without it', async () => {
  const { telemetry, seen } = watched();
  await telemetry.close();
  expect(seen.loads).toBe(0);
});

test('the end waits three seconds for a collector that is slow, and no longer', async () => {
  const exporter: TelemetryExporter = { exportSoon: () => undefined, close: () => new Promise(() => undefined) };
  const { telemetry } = watched({ load: async () => ({ startExporter: () => exporter }) });
  telemetry.eventAnswered(0);
  let isClosed = false;
  const closing = telemetry.close().then(() => {
    isClosed = true;
  });
  await vi.advanceTimersByTimeAsync(2999);
  expect(isClosed).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await closing;
});

test('an exporter that cannot be loaded is told once, and nothing else happens', async () => {
  const { telemetry, seen } = watched({ load: () => Promise.reject(new Error('no such file')) });
  telemetry.eventAnswered(0);
  await vi.advanceTimersByTimeAsync(1000);
  telemetry.eventAnswered(0);
  await telemetry.close();
  expect(seen.faults).toEqual(['Telemetry cannot be exported: no such file']);
});

test('a burst of spans is sent before its time, and what is too much is counted', async () => {
  const { telemetry, seen } = watched();
  telemetry.eventAnswered(0);
  await vi.advanceTimersByTimeAsync(1000);
  const { buffer } = telemetry.tracer ?? {};
  const spans = Array.from({ length: 512 }, () => span);
  buffer?.add(spans.slice(1));
  telemetry.eventAnswered(0);
  expect(seen.exports).toBe(0);
  buffer?.add(spans.slice(0, 1));
  telemetry.eventAnswered(0);
  expect(seen.exports).toBe(1);
  for (let batch = 0; batch < 4; batch += 1) buffer?.add(spans);
  const dropped = telemetry.metrics.measured().find(({ name }) => name.includes('dropped_spans'))?.series;
  expect(dropped).toMatchObject([{ labels: { reason: 'buffer full' }, value: 512 }]);
});
