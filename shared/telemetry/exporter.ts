import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { exportedMetrics } from './exported-metrics.ts';
import { exportedSpan } from './exported-span.ts';
import type { Metrics } from './metrics.ts';
import { processResource } from './process-resource.ts';
import type { SpanBuffer } from './span-buffer.ts';
import type { TelemetrySettings } from './telemetry-settings.ts';

export interface ExporterOptions {
  readonly settings: TelemetrySettings;
  readonly buffer: SpanBuffer;
  readonly metrics: Metrics;
  /** Told in one sentence what stands in the way, once until an export succeeds again. */
  readonly onFault: (fault: string) => void;
}

/** Sends spans and metrics to a collector by OTLP over HTTP, at intervals. */
export interface TelemetryExporter {
  /** Sends the spans that wait now. */
  exportSoon(): void;
  /** Sends what waits and ends; where the collector does not answer that takes as long as an export may. */
  close(): Promise<void>;
}

/** One of OpenTelemetry's exporters. */
interface SignalExporter<Item> {
  export(item: Item, done: (result: { readonly code: number; readonly error?: Error }) => void): void;
  shutdown(): Promise<void>;
}

/** As OpenTelemetry's batch span processor and its periodic reader have them. */
const defaults = {
  OTEL_BSP_SCHEDULE_DELAY: 5000,
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: 512,
  OTEL_METRIC_EXPORT_INTERVAL: 60_000,
};

/** The file beside the functions that has OpenTelemetry in it. Its libraries read the endpoint, headers and the like from the environment. */
export function startExporter(options: ExporterOptions): TelemetryExporter {
  const { traces, metrics } = options.settings;
  const resource = processResource(options.settings);
  const faults = faultsTold(options.onFault);
  const pumps = [
    ...(traces ? [tracePump(options, new OTLPTraceExporter(), { resource, faults })] : []),
    ...(metrics ? [metricPump(options, new OTLPMetricExporter(), { resource, faults })] : []),
  ];
  for (const { send } of pumps) void send();
  return {
    exportSoon: () => void pumps[0]?.send(),
    async close() {
      await Promise.all(pumps.map(({ close }) => close()));
    },
  };
}

interface Pump {
  send(): Promise<void>;
  close(): Promise<void>;
}

interface Shared {
  readonly resource: ReturnType<typeof processResource>;
  readonly faults: Faults;
}

/** Empties the buffer batch by batch. A batch that is not taken is lost: what it tells is old by the next time. */
function tracePump(
  { buffer, metrics }: ExporterOptions,
  exporter: OTLPTraceExporter,
  { resource, faults }: Shared,
): Pump {
  const batch = milliseconds('OTEL_BSP_MAX_EXPORT_BATCH_SIZE');
  const sendAll = async () => {
    while (buffer.size > 0) {
      const spans = buffer.take(batch);
      const fault = await exported(
        exporter,
        spans.map((span) => exportedSpan(span, resource)),
      );
      faults.tell('traces', fault);
      if (fault === undefined) continue;
      metrics.add('droppedSpans', { reason: 'export failed' }, spans.length);
      metrics.add('failedExports', { signal: 'traces' });
    }
  };
  return pump(sendAll, milliseconds('OTEL_BSP_SCHEDULE_DELAY'), exporter);
}

/** Counters go on from their start, so that an export which fails is made up for by the next. */
function metricPump({ metrics }: ExporterOptions, exporter: OTLPMetricExporter, { resource, faults }: Shared): Pump {
  const sendAll = async () => {
    const fault = await exported(exporter, exportedMetrics(metrics, resource));
    faults.tell('metrics', fault);
    if (fault !== undefined) metrics.add('failedExports', { signal: 'metrics' });
  };
  return pump(sendAll, milliseconds('OTEL_METRIC_EXPORT_INTERVAL'), exporter);
}

/** Sends now and then, never twice at once. */
function pump(sendAll: () => Promise<void>, interval: number, exporter: { shutdown(): Promise<void> }): Pump {
  let running: Promise<void> | undefined;
  const send = () => {
    running ??= sendAll().finally(() => {
      running = undefined;
    });
    return running;
  };
  const timer = setInterval(() => void send(), interval).unref();
  return {
    send,
    async close() {
      clearInterval(timer);
      // What is being sent was gathered before the last event ended.
      await running;
      await send();
      await exporter.shutdown();
    },
  };
}

/** Why the collector has not taken it; undefined where it has. Never rejects. */
function exported<Item>(exporter: SignalExporter<Item>, item: Item): Promise<string | undefined> {
  return new Promise((resolve) => {
    try {
      exporter.export(item, ({ code, error }) => resolve(code === 0 ? undefined : (error?.message ?? 'it is refused')));
    } catch (error) {
      resolve(error instanceof Error ? error.message : String(error));
    }
  });
}

interface Faults {
  tell(signal: string, fault: string | undefined): void;
}

/** Tells a fault once, and again when it has been away. */
function faultsTold(onFault: (fault: string) => void): Faults {
  const told = new Set<string>();
  return {
    tell(signal, fault) {
      if (fault === undefined) told.delete(signal);
      else if (!told.has(signal)) {
        told.add(signal);
        onFault(`The collector does not take ${signal}: ${fault}`);
      }
    },
  };
}

function milliseconds(name: keyof typeof defaults): number {
  const given = Number(process.env[name] ?? '');
  return Number.isInteger(given) && given > 0 ? given : defaults[name];
}
