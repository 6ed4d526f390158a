import type { Sampler } from './sampler.ts';
import type { Span, SpanAttributes, SpanKind } from './span.ts';
import type { SpanBuffer } from './span-buffer.ts';
import { newSpanId, newTraceId, type TraceContext } from './trace-context.ts';

/** What records traces in this process. */
export interface Tracer {
  readonly sampler: Sampler;
  readonly buffer: SpanBuffer;
  /** Told how many spans of an event were more than are kept. */
  readonly onDropped: (count: number) => void;
}

/** A part of an event's work. */
export interface SpanPart {
  readonly name: string;
  readonly kind: SpanKind;
  /** @default a new one */
  readonly spanId?: string;
  /** @default the span of the event */
  readonly parentSpanId?: string;
  /** On the monotonic clock (`performance.now`). */
  readonly started: number;
  /** @default now */
  readonly ended?: number;
  readonly attributes: SpanAttributes;
  readonly isError?: boolean;
}

/** A resync of a thousand clusters makes many thousand calls; nobody reads more of one trace than this. */
const mostSpans = 500;

/**
 * The trace that one event belongs to, and the spans of its work. Which trace that is, is known only once the event has been read;
 * spans that end before are told apart by their event alone. Without a tracer nothing is recorded, and what goes out continues the sender's
 * context as it came.
 */
export class EventTrace {
  /** Of the event's own span. */
  readonly spanId = newSpanId();
  readonly started = performance.now();
  readonly #tracer: Tracer | undefined;
  /** Milliseconds since the epoch when the monotonic clock began. */
  readonly #epoch = Date.now() - this.started;
  #parent: TraceContext | undefined;
  #traceId = '';
  #sampled = false;
  /** Until the event has ended. */
  #parts: SpanPart[] | undefined = [];

  constructor(tracer: Tracer | undefined, parent: TraceContext | undefined) {
    this.#tracer = tracer;
    this.continue(parent);
  }

  /** Makes the event a part of another trace than was thought before. */
  continue(parent: TraceContext | undefined): void {
    this.#parent = parent;
    if (this.#tracer === undefined) return;
    this.#traceId = parent?.traceId ?? newTraceId();
    this.#sampled = this.#tracer.sampler(this.#traceId, parent);
  }

  get isRecording(): boolean {
    return this.#tracer !== undefined;
  }

  /** What goes out during the given span continues this; undefined where there is nothing to continue. */
  context(spanId: string = this.spanId): TraceContext | undefined {
    if (this.#tracer === undefined) return this.#parent;
    return { traceId: this.#traceId, spanId, sampled: this.#sampled, state: this.#parent?.state ?? '' };
  }

  /** Takes a part that has ended. One that outlives its event, as after the end of its time, is taken too. */
  add(part: SpanPart): void {
    if (this.#tracer === undefined) return;
    if (this.#parts === undefined) this.#record([part]);
    else if (this.#parts.length < mostSpans) this.#parts.push(part);
    else this.#tracer.onDropped(1);
  }

  /** Ends the event's own span. */
  end(name: string, attributes: SpanAttributes, isError: boolean): void {
    const parts = this.#parts ?? [];
    this.#parts = undefined;
    const { spanId, started } = this;
    this.#record([...parts, { name, kind: 'server', spanId, started, attributes, isError }]);
  }

  #record(parts: readonly SpanPart[]): void {
    if (this.#sampled) this.#tracer?.buffer.add(parts.map((part) => this.#spanOf(part)));
  }

  #spanOf({ name, kind, spanId = newSpanId(), started, attributes, isError = false, ...part }: SpanPart): Span {
    const isOwn = spanId === this.spanId;
    return {
      name,
      kind,
      traceId: this.#traceId,
      spanId,
      parentSpanId: isOwn ? this.#parent?.spanId : (part.parentSpanId ?? this.spanId),
      isParentRemote: isOwn,
      state: this.#parent?.state ?? '',
      start: this.#epoch + started,
      end: this.#epoch + (part.ended ?? performance.now()),
      attributes,
      isError,
    };
  }
}
