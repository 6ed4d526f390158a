import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { DriverError } from '../contract/errors.ts';
import { type Clock, systemClock } from '../kubernetes/clock.ts';
import { activeScope } from '../telemetry/event-scope.ts';
import { inSpan } from '../telemetry/in-span.ts';
import { observeCall } from '../telemetry/observe-calls.ts';
import { traceCarrier } from '../telemetry/trace-context.ts';
import type { CloudEventOut } from './cloud-event.ts';
import { type BinaryMessage, binaryMessage } from './http-binding.ts';
import { connectSink, type SinkAddress, type SinkConnection } from './sink-request.ts';
import { Slots } from './slots.ts';

/** What a SinkBinding tells a function. */
export interface SinkSettings extends SinkAddress {
  /** Extension attributes of each event, e.g. by `ceOverrides` of the SinkBinding. */
  readonly extensions?: Readonly<Record<string, string>> | undefined;
}

export interface EventSinkOptions extends SinkSettings {
  /** Where the events come from, e.g. `/functions/status`. */
  readonly source: string;
  /** File with the token that the sink demands; read before each attempt. @default where a SinkBinding mounts it */
  readonly tokenFile?: string | undefined;
  /** Events that are sent at once; others wait. @default 8 */
  readonly concurrency?: number | undefined;
  /** Limit of one attempt. @default 10_000 */
  readonly timeoutMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** Takes events that answer no other event. */
export interface EventSink {
  /**
   * Resolves when the sink has the event. Its id stays the same over all attempts.
   * @throws SinkError; the signal's reason when it aborts
   */
  post(event: CloudEventOut, signal: AbortSignal): Promise<void>;
  /** Closes the kept connections. */
  close(): void;
}

/** The sink did not take an event: 503. */
export class SinkError extends DriverError {
  override readonly name = 'SinkError';
  /** HTTP status that the sink answered with; undefined where no answer came. */
  readonly sinkStatus: number | undefined;

  constructor(message: string, { sinkStatus, ...options }: SinkErrorOptions) {
    super(message, { ...options, code: 'dependency_unavailable', status: 503, retryable: true });
    this.sinkStatus = sinkStatus;
  }
}

interface SinkErrorOptions extends ErrorOptions {
  readonly sinkStatus?: number;
  /** Seconds that the sink asked to wait. */
  readonly retryAfter?: number | undefined;
}

/** A broker in memory answers when all its subscribers have. */
const defaultTimeoutMs = 10_000;
const defaultTokenFile = '/oidc/token';
/** With waits that double from 0.2 s they get over a restart of the broker's ingress. */
const attempts = 5;
const firstDelayMs = 200;
/** Whoever asks for more is down for longer than an event should be held; the next resync comes anyway. */
const longestWaitMs = 10_000;

/** Beside the 5xx, as Knative's own senders take them: a broker that its ingress does not know yet is a 404. */
const passingRefusals = new Set([404, 408, 425, 429]);

export function createEventSink(options: EventSinkOptions): EventSink {
  const { source, extensions, concurrency = 8, clock = systemClock } = options;
  const connection = connectSink(options);
  const slots = new Slots(concurrency);
  return {
    post({ time, ...event }, signal) {
      const send = () => {
        const scope = activeScope();
        const carrier = traceCarrier(scope?.trace.context(scope.spanId));
        const { headers, body } = binaryMessage({
          ...event,
          extensions: { ...extensions, ...event.extensions, ...carrier },
          id: randomUUID(),
          source,
          time: time ?? new Date(clock.now()),
        });
        const message = { headers: { ...headers, ...carrier }, body };
        return slots.run(() => sendUntilTaken({ connection, options, clock, message, signal }));
      };
      const attributes = { 'cloudevents.event_type': event.type, 'cloudevents.event_subject': event.subject };
      return countReport(() => inSpan({ name: `publish ${event.type}`, kind: 'producer', attributes }, send));
    },
    close: () => connection.close(),
  };
}

async function countReport(post: () => Promise<void>): Promise<void> {
  const count = (outcome: 'delivered' | 'failed') => {
    const scope = activeScope();
    scope?.metrics.add('sinkReports', { function: scope.functionName, outcome });
  };
  try {
    await post();
    count('delivered');
  } catch (error) {
    count('failed');
    throw error;
  }
}

interface Sending {
  readonly connection: SinkConnection;
  readonly options: EventSinkOptions;
  readonly clock: Clock;
  readonly message: BinaryMessage;
  readonly signal: AbortSignal;
}

async function sendUntilTaken(sending: Sending): Promise<void> {
  const { clock, signal } = sending;
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await sendOnce(sending, attempt);
    } catch (error) {
      const delay = error instanceof SinkError ? delayAfter(error, attempt) : undefined;
      if (delay === undefined) throw error;
      await clock.sleep(delay, signal);
    }
  }
}

/** @throws SinkError */
async function sendOnce({ connection, options, clock, message, signal }: Sending, attempt: number): Promise<void> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs)]);
  const authorization = await bearer(options.tokenFile ?? defaultTokenFile);
  const started = performance.now();
  const observe = (status?: number) => {
    const durationMs = performance.now() - started;
    observeCall({ target: 'sink', name: 'POST sink', attempt, status, durationMs, attributes: {} });
  };
  const answer = await connection
    .send({ ...message, headers: { ...message.headers, ...authorization } }, limit)
    .catch((cause: unknown) => {
      observe();
      signal.throwIfAborted();
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new SinkError(`The sink cannot be reached: ${reason}`, { cause });
    });
  const { status: sinkStatus } = answer;
  observe(sinkStatus);
  if (sinkStatus >= 200 && sinkStatus < 300) return;
  const retryAfter = secondsOf(answer.retryAfter, clock.now());
  throw new SinkError(`The sink answered ${sinkStatus}.`, { sinkStatus, retryAfter });
}

/** Without eventing's OIDC there is no such file. */
async function bearer(tokenFile: string): Promise<{ readonly authorization?: string }> {
  const token = await readFile(tokenFile, 'utf8').catch(() => '');
  return token.trim() === '' ? {} : { authorization: `Bearer ${token.trim()}` };
}

/** Milliseconds; undefined where another attempt would be of no use. */
function delayAfter({ sinkStatus, retryAfter = 0 }: SinkError, attempt: number): number | undefined {
  const isPassing = sinkStatus === undefined || sinkStatus >= 500 || passingRefusals.has(sinkStatus);
  if (!isPassing || attempt === attempts || retryAfter * 1000 > longestWaitMs) return undefined;
  const own = firstDelayMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
  return Math.max(own, retryAfter * 1000);
}

/** Retry-After in seconds, from seconds or a date. */
function secondsOf(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - now) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
