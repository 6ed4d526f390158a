/** Part of a trace that has ended, as it is kept until it is exported. */
export interface Span {
  readonly name: string;
  readonly kind: SpanKind;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  /** Whether the parent is of another process. */
  readonly isParentRemote: boolean;
  /** The trace's `tracestate`; '' = none. */
  readonly state: string;
  /** Milliseconds since the epoch, with fractions. */
  readonly start: number;
  readonly end: number;
  readonly attributes: SpanAttributes;
  readonly isError: boolean;
}

export type SpanKind = 'internal' | 'server' | 'client' | 'producer';

/** Names as in OpenTelemetry's semantic conventions where they have one; what is undefined is left out. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;
