import type { Tracer } from './event-trace.ts';
import type { ExporterOptions, TelemetryExporter } from './exporter.ts';
import { Metrics } from './metrics.ts';
import { measureProcess } from './process-metrics.ts';
import { createSampler } from './sampler.ts';
import { SpanBuffer } from './span-buffer.ts';
import type { TelemetrySettings } from './telemetry-settings.ts';

/** What a process measures, and what it records of its work. */
export interface Telemetry {
  readonly metrics: Metrics;
  /** Records traces; undefined where nobody takes them. */
  readonly tracer: Tracer | undefined;
  /** Told after each answer, with the number of events that are still being handled. */
  eventAnswered(inFlight: number): void;
  /** Sends what is left, for as long as `flushTime` at most. Never rejects. */
  close(): Promise<void>;
}

export interface TelemetryOptions {
  /** @default nothing is exported */
  readonly settings?: TelemetrySettings | undefined;
  /** Told in one sentence what stands in the way of an export. */
  readonly onFault?: (fault: string) => void;
  /** @default the file beside the function's own */
  readonly load?: () => Promise<{ startExporter(options: ExporterOptions): TelemetryExporter }>;
  /** Milliseconds. @default 3 s: what Kubernetes' grace leaves after the last event has been waited for */
  readonly flushTime?: number;
}

/** Spans: of some hundred events, or of one burst while a collector is slow. */
const bufferLimit = 2048;
/** Spans that are worth an export before its time. */
const enoughSpans = 512;
/** Milliseconds of quiet before the exporter is loaded, which takes the event loop for some tens of them. */
const loadDelay = 1000;
/** Milliseconds that a function which is never quiet puts that off. */
const longestDelay = 20_000;

/**
 * The telemetry of a process. Until an event was answered nothing of OpenTelemetry is loaded, and afterwards only in a moment when no event
 * waits: an event is never slower for it. Whatever happens to an export, the function does not notice.
 */
export function createTelemetry(options: TelemetryOptions = {}): Telemetry {
  const { settings } = options;
  const metrics = new Metrics();
  metrics.whenAsked(measureProcess);
  if (settings === undefined || !(settings.traces || settings.metrics)) {
    return { metrics, tracer: undefined, eventAnswered: () => undefined, close: async () => undefined };
  }
  return new ExportedTelemetry(metrics, settings, options);
}

class ExportedTelemetry implements Telemetry {
  readonly metrics: Metrics;
  readonly tracer: Tracer | undefined;
  readonly #buffer: SpanBuffer;
  readonly #settings: TelemetrySettings;
  readonly #options: TelemetryOptions;
  #inFlight = 0;
  #timer: NodeJS.Timeout | undefined;
  #exporter: Promise<TelemetryExporter | undefined> | undefined;
  #loaded: TelemetryExporter | undefined;

  constructor(metrics: Metrics, settings: TelemetrySettings, options: TelemetryOptions) {
    this.metrics = metrics;
    this.#settings = settings;
    this.#options = options;
    const drop = (reason: 'buffer full' | 'long trace') => (count: number) =>
      metrics.add('droppedSpans', { reason }, count);
    this.#buffer = new SpanBuffer(bufferLimit, drop('buffer full'));
    const sampler = createSampler(settings.sampler);
    this.tracer = settings.traces ? { sampler, buffer: this.#buffer, onDropped: drop('long trace') } : undefined;
  }

  eventAnswered(inFlight: number): void {
    this.#inFlight = inFlight;
    if (this.#buffer.size >= enoughSpans) this.#loaded?.exportSoon();
    if (this.#timer === undefined && this.#exporter === undefined) this.#loadLater(longestDelay);
  }

  async close(): Promise<void> {
    const isUsed = this.#timer !== undefined || this.#exporter !== undefined;
    clearTimeout(this.#timer);
    if (!isUsed) return;
    const { flushTime = 3000 } = this.#options;
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, flushTime);
    const flushed = this.#load().then((exporter) => exporter?.close());
    await Promise.race([flushed.catch(() => undefined), late.promise]);
    clearTimeout(timer);
  }

  #loadLater(patience: number): void {
    this.#timer = setTimeout(() => {
      if (this.#inFlight > 0 && patience > 0) this.#loadLater(patience - loadDelay);
      else void this.#load();
    }, loadDelay).unref();
  }

  #load(): Promise<TelemetryExporter | undefined> {
    this.#exporter ??= this.#start();
    return this.#exporter;
  }

  async #start(): Promise<TelemetryExporter | undefined> {
    const { load = () => import('./exporter.ts'), onFault = () => undefined } = this.#options;
    try {
      const { startExporter } = await load();
      this.#loaded = startExporter({ settings: this.#settings, buffer: this.#buffer, metrics: this.metrics, onFault });
      return this.#loaded;
    } catch (error) {
      onFault(`Telemetry cannot be exported: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }
}
