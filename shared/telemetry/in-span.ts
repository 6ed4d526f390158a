import { activeScope, type EventScope, runInScope } from './event-scope.ts';
import type { SpanAttributes, SpanKind } from './span.ts';
import { newSpanId } from './trace-context.ts';

export interface SpanStart {
  readonly name: string;
  /** @default internal */
  readonly kind?: SpanKind;
  readonly attributes?: SpanAttributes;
}

/** Has a part of the event's work recorded as a span of its own, where traces are recorded. @throws what the work throws */
export async function inSpan<Result>(start: SpanStart, work: () => Promise<Result>): Promise<Result> {
  const scope = activeScope();
  if (!scope?.trace.isRecording) return work();
  const spanId = newSpanId();
  const end = partOf(scope, start, spanId);
  try {
    const result = await runInScope({ ...scope, spanId }, work);
    end();
    return result;
  } catch (error) {
    end(error);
    throw error;
  }
}

/** The same for work that is done at once. */
export function inShortSpan<Result>(start: SpanStart, work: () => Result): Result {
  const scope = activeScope();
  if (!scope?.trace.isRecording) return work();
  const end = partOf(scope, start, newSpanId());
  const result = work();
  end();
  return result;
}

/** Of an error only the class is told: its text may quote what it is about. */
function partOf({ trace, spanId: parentSpanId }: EventScope, start: SpanStart, spanId: string) {
  const started = performance.now();
  const { name, kind = 'internal', attributes = {} } = start;
  return (error?: unknown): void => {
    const failure = error === undefined ? {} : { 'error.type': error instanceof Error ? error.name : typeof error };
    const isError = error !== undefined;
    trace.add({ name, kind, spanId, parentSpanId, started, attributes: { ...attributes, ...failure }, isError });
  };
}
