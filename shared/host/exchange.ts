import { RejectedError } from '../contract/errors.ts';
import { activeScope, runInScope } from '../telemetry/event-scope.ts';
import { EventTrace } from '../telemetry/event-trace.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { traceCarrier, traceContextOf } from '../telemetry/trace-context.ts';
import { type Answer, emptyAnswer, errorAnswer, replyAnswer } from './answer.ts';
import type { Authenticator } from './authenticator.ts';
import { createCallCounter } from './call-counter.ts';
import type { CloudEventIn, CloudEventOut, EventAttributes } from './cloud-event.ts';
import type { EventFunction, FunctionContext } from './event-function.ts';
import { runWithSignal } from './event-signal.ts';
import { reportExchange } from './exchange-report.ts';
import { type BinaryMessage, binaryMessage } from './http-binding.ts';
import { headerValue } from './http-headers.ts';
import type { InFlight } from './in-flight.ts';
import type { Logger } from './logger.ts';
import { receiveEvent } from './receive-event.ts';

/** What all events of a host share. */
export interface ExchangeSettings {
  readonly authenticator: Authenticator;
  readonly logger: Logger;
  /** The reply that tells why an operation is refused. */
  readonly rejectedReply: (event: CloudEventIn, error: RejectedError) => CloudEventOut;
  /** Milliseconds until an event is answered with 503 and its function told to stop. */
  readonly eventTimeout: number;
  readonly now: () => Date;
  readonly inFlight: InFlight;
  readonly telemetry: Telemetry;
}

/** A request as far as an event is concerned. */
export interface EventRequest {
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  readonly readBody: () => Promise<Uint8Array>;
}

/** Receives one event, has it handled, and logs, counts and traces how it ended. Never rejects. */
export async function exchangeEvent(
  target: EventFunction,
  request: EventRequest,
  settings: ExchangeSettings,
): Promise<Answer> {
  const { metrics, tracer } = settings.telemetry;
  const trace = new EventTrace(tracer, traceContextOf(headerCarrier(request.rawHeaders)));
  const scope = { functionName: target.name, metrics, trace, spanId: trace.spanId };
  const answer = await runInScope(scope, () => exchange(target, request, { ...settings, trace }));
  settings.telemetry.eventAnswered(settings.inFlight.size);
  return answer;
}

interface TracedSettings extends ExchangeSettings {
  readonly trace: EventTrace;
}

async function exchange(target: EventFunction, request: EventRequest, settings: TracedSettings): Promise<Answer> {
  const calls = createCallCounter();
  let attributes: EventAttributes | undefined;
  let error: unknown;

  const receive = () =>
    receiveEvent({
      ...request,
      target,
      authenticator: settings.authenticator,
      arrived: settings.now(),
      onAttributes: (known) => {
        attributes = known;
        continueTrace(settings.trace, known);
      },
    });

  const answer = await settings.inFlight
    .run(settings.eventTimeout, async (signal) => {
      const event = await receive();
      const log = settings.logger.child({ function: target.name, event_id: event.id, cluster: event.subject });
      const context = { log, signal, calls, now: settings.now };
      return await runWithSignal(signal, () => handleEvent(target, event, context, settings.rejectedReply));
    })
    .catch((thrown: unknown) => {
      error = thrown;
      return errorAnswer(thrown);
    });

  reportExchange({ target, attributes, answer, error, calls }, settings);
  return answer;
}

function headerCarrier(rawHeaders: readonly string[]) {
  return { traceparent: headerValue(rawHeaders, 'traceparent'), tracestate: headerValue(rawHeaders, 'tracestate') };
}

/**
 * CloudEvents' distributed tracing extension tells where the event began; the headers, which count without it, where the one was that
 * delivers it.
 */
function continueTrace(trace: EventTrace, { extensions }: EventAttributes): void {
  const context = traceContextOf(extensions);
  if (context !== undefined) trace.continue(context);
}

async function handleEvent(
  target: EventFunction,
  event: CloudEventIn,
  context: FunctionContext,
  rejectedReply: ExchangeSettings['rejectedReply'],
): Promise<Answer> {
  try {
    const reply = await target.handle(context, event);
    return reply === undefined ? emptyAnswer : replyAnswer(replyMessage(target, event, reply, context.now()));
  } catch (error) {
    if (!(error instanceof RejectedError)) throw error;
    const reply = rejectedReply(event, error);
    return replyAnswer(replyMessage(target, event, reply, context.now()), error.code);
  }
}

/** Its id follows from the event's, so that the reply to a redelivered event is known as the same. */
function replyMessage(target: EventFunction, event: CloudEventIn, reply: CloudEventOut, now: Date): BinaryMessage {
  const { subject, partitionkey, time, extensions, ...said } = reply;
  return binaryMessage({
    ...said,
    id: `${event.id}:reply`,
    source: `/functions/${target.name}`,
    time: time ?? now,
    subject: subject ?? event.subject,
    extensions: { ...extensions, ...traceCarrier(activeScope()?.trace.context()) },
    partitionkey: partitionkey ?? event.extensions['partitionkey'],
  });
}
