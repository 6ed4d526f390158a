import type { EventTrace } from '../telemetry/event-trace.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { SpanAttributes } from '../telemetry/span.ts';
import type { Answer } from './answer.ts';
import type { EventAttributes } from './cloud-event.ts';
import type { EventFunction } from './event-function.ts';
import { redactText } from './redaction.ts';

/** One event that was answered. */
export interface AnsweredEvent {
  readonly target: EventFunction;
  /** Undefined when the request was refused before it could be read as an event. */
  readonly attributes: EventAttributes | undefined;
  readonly answer: Answer;
  readonly seconds: number;
  readonly answered: Date;
}

/** Events that tell of a change; those of Knative's ApiServerSource in mode Reference. */
const changeTypes = 'dev.knative.apiserver.ref.';

/** Counts an event and ends its span. What senders make up is no label and names no span: neither may grow with it. */
export function recordExchange(
  event: AnsweredEvent,
  { metrics, trace }: { readonly metrics: Metrics; readonly trace: EventTrace },
): void {
  const { target, attributes, answer, seconds } = event;
  const { outcome, status } = answer;
  const isKnown = attributes !== undefined && Object.hasOwn(target.accepts, attributes.type);
  const labels = { function: target.name, type: isKnown ? attributes.type : 'other' };
  metrics.add('events', { ...labels, outcome, status: String(status) });
  metrics.observe('eventSeconds', labels, seconds);
  const lag = reportLag(event);
  if (lag !== undefined) metrics.observe('reportLag', { function: target.name }, lag);
  if (trace.isRecording) trace.end(`process ${labels.type}`, spanAttributes(event), status >= 500);
}

/**
 * Seconds from a change to the answer that reports it: by the event's `time`, when the source saw the change, which brokers keep however
 * often they deliver it. Undefined for an answer that is no report of a change.
 */
function reportLag({ attributes, answer, answered }: AnsweredEvent): number | undefined {
  if (answer.outcome !== 'accepted' || !attributes?.type.startsWith(changeTypes)) return undefined;
  const seconds = (answered.getTime() - Date.parse(attributes.time)) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** Characters of an attribute in a span. */
const longestShown = 256;

/** What a sender wrote is shown as in a log. */
function shown(text: string | undefined): string | undefined {
  return text ? redactText(text.slice(0, longestShown)) : undefined;
}

/** Names of OpenTelemetry's conventions for CloudEvents, HTTP and FaaS, and ours. */
function spanAttributes({ target, attributes, answer }: AnsweredEvent): SpanAttributes {
  return {
    'faas.name': target.name,
    'http.request.method': 'POST',
    'http.response.status_code': answer.status,
    'cloudevents.event_id': shown(attributes?.id),
    'cloudevents.event_source': shown(attributes?.source),
    'cloudevents.event_type': shown(attributes?.type),
    'cloudevents.event_subject': shown(attributes?.subject),
    'magnum_capi.outcome': answer.outcome,
    'magnum_capi.code': answer.code,
  };
}
