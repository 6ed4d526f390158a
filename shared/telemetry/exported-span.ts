import { createTraceState, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { highResolutionTime, instrumentationScope } from './exported-time.ts';
import type { Span } from './span.ts';

const kinds: Readonly<Record<Span['kind'], SpanKind>> = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
};

/** A span as OpenTelemetry's exporter takes it. */
export function exportedSpan(span: Span, resource: Resource): ReadableSpan {
  const context = (spanId: string, isRemote: boolean) => ({
    traceId: span.traceId,
    spanId,
    isRemote,
    traceFlags: TraceFlags.SAMPLED,
    ...(span.state === '' ? {} : { traceState: createTraceState(span.state) }),
  });
  const own = context(span.spanId, false);
  const { parentSpanId, isParentRemote } = span;
  return {
    name: span.name,
    kind: kinds[span.kind],
    spanContext: () => own,
    ...(parentSpanId === undefined ? {} : { parentSpanContext: context(parentSpanId, isParentRemote) }),
    startTime: highResolutionTime(span.start),
    endTime: highResolutionTime(span.end),
    duration: highResolutionTime(span.end - span.start),
    status: { code: span.isError ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes: span.attributes,
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}
