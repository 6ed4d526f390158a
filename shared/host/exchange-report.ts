import type { Answer, Outcome } from './answer.ts';
import type { CallCounter } from './call-counter.ts';
import type { EventAttributes } from './cloud-event.ts';
import type { EventFunction } from './event-function.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';

/** One event and how it ended. */
export interface ExchangeReport {
  readonly target: EventFunction;
  /** Undefined when the request was refused before it could be read as an event. */
  readonly attributes: EventAttributes | undefined;
  readonly answer: Answer;
  /** What led to an answer that is no success. */
  readonly error: unknown;
  readonly calls: CallCounter;
  readonly seconds: number;
}

type Level = 'info' | 'warn' | 'error';

/** What an operator should look at; refusals of single requests are everyday. */
const levels: Readonly<Record<Outcome, Level>> = {
  accepted: 'info',
  rejected: 'info',
  ignored: 'info',
  busy: 'info',
  unavailable: 'warn',
  invalid: 'warn',
  unauthenticated: 'warn',
  forbidden: 'warn',
  failed: 'error',
};

/** Writes the one log line of an event, which never holds its data, and counts it. */
export function reportExchange(
  report: ExchangeReport,
  sinks: { readonly logger: Logger; readonly metrics: Metrics },
): void {
  const { target, attributes, answer, error, calls, seconds } = report;
  const { outcome, status, code } = answer;
  const fields = {
    function: target.name,
    event_id: attributes?.id,
    event_type: attributes?.type,
    cluster: attributes?.subject,
    outcome,
    status,
    code,
    duration_ms: Math.round(seconds * 1000),
    kubernetes_calls: calls.kubernetes,
    openstack_calls: calls.openstack,
    ...reasonOf(outcome, error),
  };
  sinks.logger[levels[outcome]](fields, 'event');
  const isKnown = attributes !== undefined && Object.hasOwn(target.accepts, attributes.type);
  const type = isKnown ? attributes.type : 'other';
  sinks.metrics.observe({ functionName: target.name, type, outcome, status, seconds, calls });
}

/** A stack only where something is broken. */
function reasonOf(outcome: Outcome, error: unknown): object {
  if (error === undefined) return {};
  if (outcome === 'failed' || outcome === 'unavailable') return { err: error };
  return { reason: error instanceof Error ? error.message : String(error) };
}
