import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import * as z from 'zod';

/** What the collector does with an export. */
export type CollectorMood = 'takes' | 'refuses' | 'is slow' | 'answers garbage';

const value = z
  .object({ stringValue: z.string(), intValue: z.number(), doubleValue: z.number(), boolValue: z.boolean() })
  .partial()
  .transform((one) => one.stringValue ?? one.intValue ?? one.doubleValue ?? one.boolValue);
const attributes = z
  .array(z.object({ key: z.string(), value }))
  .transform((pairs) => Object.fromEntries(pairs.map((pair) => [pair.key, pair.value])));

const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  traceState: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.coerce.bigint(),
  endTimeUnixNano: z.coerce.bigint(),
  attributes,
  status: z.object({ code: z.number().default(0) }),
});
const point = z.looseObject({ attributes, asDouble: z.number().optional(), count: z.number().optional() });
const points = z.object({ dataPoints: z.array(point) });
const metric = z.object({
  name: z.string(),
  sum: points.optional(),
  gauge: points.optional(),
  histogram: points.optional(),
});
const resource = z.object({ attributes });

/** OTLP 1.x in JSON (opentelemetry-proto, trace and metrics services). */
const traces = z.object({
  resourceSpans: z.array(z.object({ resource, scopeSpans: z.array(z.object({ spans: z.array(span) })) })),
});
const metrics = z.object({
  resourceMetrics: z.array(z.object({ resource, scopeMetrics: z.array(z.object({ metrics: z.array(metric) })) })),
});

export type ReceivedSpan = z.output<typeof span>;

/** A collector of OpenTelemetry: a plain HTTP server that reads OTLP in JSON. */
export interface Collector {
  readonly url: string;
  mood: CollectorMood;
  readonly spans: readonly ReceivedSpan[];
  /** Attributes of whoever has sent the spans. */
  readonly resources: readonly Record<string, unknown>[];
  /** Everything that came, as it came. */
  readonly payloads: readonly string[];
  /** Of the metrics of the newest export. */
  metricNames(): readonly string[];
  /** The newest value of a metric, or a histogram's number of observations, added over the attributes that are not asked for. */
  metric(name: string, asked?: Readonly<Record<string, string>>): number;
  stop(): Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const received = {
    spans: [] as ReceivedSpan[],
    resources: [] as Record<string, unknown>[],
    payloads: [] as string[],
  };
  let newest = new Map<string, z.output<typeof point>[]>();
  const take = (path: string, body: string) => {
    received.payloads.push(body);
    if (path === '/v1/traces') {
      const { resourceSpans } = traces.parse(JSON.parse(body));
      received.resources.push(...resourceSpans.map((one) => one.resource.attributes));
      received.spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)));
      return;
    }
    const { resourceMetrics } = metrics.parse(JSON.parse(body));
    const all = resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((one) => one.metrics));
    newest = new Map(all.map((one) => [one.name, (one.sum ?? one.gauge ?? one.histogram)?.dataPoints ?? []]));
  };
  const collector = { ...received, mood: 'takes' as CollectorMood };
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    if (collector.mood === 'takes') take(request.url ?? '', body);
    if (collector.mood === 'is slow') return;
    const isRefused = collector.mood === 'refuses';
    response.writeHead(isRefused ? 500 : 200, { 'content-type': 'application/json' });
    response.end(collector.mood === 'answers garbage' ? '\u0000{"partialSuccess":[[[' : '{}');
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(collector, {
    url: `http://127.0.0.1:${portOf(server)}`,
    metricNames: () => [...newest.keys()],
    metric(name: string, asked: Readonly<Record<string, string>> = {}) {
      const matching = (newest.get(name) ?? []).filter((one) =>
        Object.entries(asked).every(([key, wanted]) => one.attributes[key] === wanted),
      );
      return matching.reduce((total, one) => total + (one.asDouble ?? one.count ?? 0), 0);
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
