import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventTrace } from './event-trace.ts';
import type { Metrics } from './metrics.ts';

/** What is known of the event that is being handled, wherever its handling has got to. */
export interface EventScope {
  readonly functionName: string;
  readonly metrics: Metrics;
  readonly trace: EventTrace;
  /** Of the span that the work is part of now. */
  readonly spanId: string;
}

const scopes = new AsyncLocalStorage<EventScope>();

/** The event that the caller works for; undefined where there is none. */
export function activeScope(): EventScope | undefined {
  return scopes.getStore();
}

/** Runs work for an event, with all that it starts. */
export function runInScope<Result>(scope: EventScope, work: () => Result): Result {
  return scopes.run(scope, work);
}

/** The same function, that works for the event of now whoever calls it later. */
export function boundToScope<Arguments extends unknown[], Result>(
  work: (...given: Arguments) => Result,
): (...given: Arguments) => Result {
  return AsyncLocalStorage.bind(work);
}

/** Fields of a log line that tell which trace it belongs to. */
export function traceFields(): { readonly trace_id?: string; readonly span_id?: string } {
  const scope = scopes.getStore();
  const context = scope?.trace.context(scope.spanId);
  return context === undefined ? {} : { trace_id: context.traceId, span_id: context.spanId };
}
