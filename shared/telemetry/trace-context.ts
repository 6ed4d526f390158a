import { randomBytes } from 'node:crypto';

/** Where in a trace something happens: the span that it is part of, in one process or in another. */
export interface TraceContext {
  /** 32 hexadecimal digits, not all zero. */
  readonly traceId: string;
  /** 16 hexadecimal digits, not all zero. */
  readonly spanId: string;
  /** Whether who began the trace has it recorded. */
  readonly sampled: boolean;
  /** What other vendors want to be passed on, as it came; '' = nothing. */
  readonly state: string;
}

/** What carries a context from one process to the next: attributes of an event or headers of a request. */
export interface TraceCarrier {
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
}

/** Characters that everybody has to pass on (W3C Trace Context §3.3.1.5); a longer one is dropped as a whole. */
const longestState = 512;

/** Version 00 has four fields; a later one may have more behind them (W3C Trace Context §3.2.4, §4.3). */
const pattern =
  /^(?!ff)(?<version>[\da-f]{2})-(?<traceId>(?!0{32})[\da-f]{32})-(?<spanId>(?!0{16})[\da-f]{16})-(?<flags>[\da-f]{2})(?<rest>-.*)?$/;

/** The context in a carrier; undefined where there is none that is valid. */
export function traceContextOf({ traceparent = '', tracestate = '' }: TraceCarrier): TraceContext | undefined {
  const { version, traceId, spanId, flags = '', rest } = pattern.exec(traceparent.trim())?.groups ?? {};
  if (traceId === undefined || spanId === undefined) return undefined;
  if (version === '00' && rest !== undefined) return undefined;
  const sampled = (Number.parseInt(flags, 16) & 1) === 1;
  return { traceId, spanId, sampled, state: tracestate.length > longestState ? '' : tracestate };
}

/** Attributes of an event, and headers of a request, that continue a context; nothing without one. */
export function traceCarrier(context: TraceContext | undefined): Record<string, string> {
  if (context === undefined) return {};
  const { traceId, spanId, sampled, state } = context;
  const traceparent = `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
  return state === '' ? { traceparent } : { traceparent, tracestate: state };
}

export function newTraceId(): string {
  return randomId(16);
}

export function newSpanId(): string {
  return randomId(8);
}

/** All zero is no id. */
function randomId(bytes: number): string {
  const id = randomBytes(bytes).toString('hex');
  return /[^0]/.test(id) ? id : randomId(bytes);
}
