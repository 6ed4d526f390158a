import { answerError, type ErrorContext, transportError } from './answer-error.ts';
import { ProtocolError } from './errors.ts';
import { type Clock, type Outcome, type RetryOptions, retryDelay } from './retry.ts';
import { type HttpAnswer, type Transport, TransportError } from './transport.ts';

/** A request of one service, with everything but its time limit. */
export interface Request {
  readonly service: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** @default whether the method is not POST */
  readonly idempotent?: boolean;
  /** What must not be seen in an error's message. */
  readonly secrets: readonly string[];
}

/** One HTTP exchange, as told to `SessionOptions.onRequest`. */
export interface RequestInfo {
  /** Service type, as `compute`. */
  readonly service: string;
  readonly method: string;
  /** Path without query: it may hold ids, never secrets. */
  readonly path: string;
  /** HTTP status; undefined where no answer came. */
  readonly status: number | undefined;
  readonly durationMs: number;
  /** From 1; more than that repeats a call that came to nothing. */
  readonly attempt: number;
}

export interface ExchangeOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly retry: Required<RetryOptions>;
  readonly attemptMs: number;
  readonly totalMs: number;
  readonly onRequest: ((info: RequestInfo) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An answer below 300 with its JSON body. */
export interface JsonAnswer {
  readonly status: number;
  readonly headers: HttpAnswer['headers'];
  /** undefined where the body was empty. */
  readonly body: unknown;
}

/**
 * Sends a request, again where the contract of `RetryOptions` allows it.
 * @throws OpenStackError for an answer of 300 and more, and where none came; the signal's reason when it aborts.
 */
export async function exchange(request: Request, options: ExchangeOptions): Promise<JsonAnswer> {
  const { answer, failure } = await untilFinal(request, options);
  if (failure !== undefined) throw transportError(failure, request.service);
  const context: ErrorContext = { service: request.service, secrets: request.secrets, now: options.clock.now() };
  if (answer.status >= 300) throw answerError(answer, context);
  return { status: answer.status, headers: answer.headers, body: jsonBody(answer, request.service) };
}

async function untilFinal(request: Request, options: ExchangeOptions): Promise<Outcome> {
  const { clock, retry } = options;
  const deadline = clock.now() + options.totalMs;
  const rules = { method: request.method, idempotent: request.idempotent ?? request.method !== 'POST' };
  for (let attempt = 0; ; attempt++) {
    const outcome = await once(request, options, {
      attempt: attempt + 1,
      timeLimitMs: Math.min(options.attemptMs, deadline - clock.now()),
    });
    const delay = retryDelay(rules, outcome, { attempt, options: retry, clock });
    if (delay === undefined || clock.now() + delay >= deadline) return outcome;
    await clock.sleep(delay);
  }
}

interface Attempt {
  /** From 1. */
  readonly attempt: number;
  readonly timeLimitMs: number;
}

async function once(request: Request, options: ExchangeOptions, { attempt, timeLimitMs }: Attempt): Promise<Outcome> {
  const { method, url, headers } = request;
  const { signal } = options;
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  const started = options.clock.now();
  const outcome = await settle(options.transport.exchange({ method, url, headers, body, timeLimitMs, signal }));
  options.onRequest?.({
    service: request.service,
    method,
    path: pathOf(url),
    status: outcome.answer?.status,
    durationMs: options.clock.now() - started,
    attempt,
  });
  return outcome;
}

async function settle(pending: Promise<HttpAnswer>): Promise<Outcome> {
  try {
    return { answer: await pending };
  } catch (error) {
    if (error instanceof TransportError) return { failure: error };
    throw error;
  }
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : '';
}

function jsonBody(answer: HttpAnswer, service: string): unknown {
  if (answer.body === '') return undefined;
  try {
    return JSON.parse(answer.body);
  } catch (cause) {
    throw new ProtocolError(`OpenStack ${service} answered ${answer.status} with something that is no JSON.`, {
      service,
      status: answer.status,
      cause,
    });
  }
}
