import type { EventTrace } from '../telemetry/event-trace.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { Answer, Outcome } from './answer.ts';
import type { CallCounter } from './call-counter.ts';
import type { EventAttributes } from './cloud-event.ts';
import type { EventFunction } from './event-function.ts';
import { recordExchange } from './exchange-telemetry.ts';
import type { LogFields } from './log-fields.ts';
import type { Logger } from './logger.ts';

/** One event and how it ended. */
export interface ExchangeReport {
  readonly target: EventFunction;
  /** Undefined when the request was refused before it could be read as an event. */
  readonly attributes: EventAttributes | undefined;
  readonly answer: Answer;
  /** What led to an answer that is no success. */
  readonly error: unknown;
  readonly calls: CallCounter;
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

interface ReportSettings {
  readonly logger: Logger;
  readonly telemetry: Telemetry;
  readonly trace: EventTrace;
  readonly now: () => Date;
}

/** Writes the one log line of an event, which never holds its data, counts it and ends its trace. */
export function reportExchange(report: ExchangeReport, { logger, telemetry, trace, now }: ReportSettings): void {
  const { target, attributes, answer, error, calls } = report;
  const seconds = (performance.now() - trace.started) / 1000;
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
  logger[levels[outcome]](fields, 'event');
  recordExchange({ target, attributes, answer, seconds, answered: now() }, { metrics: telemetry.metrics, trace });
}

/** A stack only where something is broken. */
function reasonOf(outcome: Outcome, error: unknown): Pick<LogFields, 'reason' | 'err'> {
  if (error === undefined) return {};
  if (outcome === 'failed' || outcome === 'unavailable') return { err: error };
  return { reason: error instanceof Error ? error.message : String(error) };
}
