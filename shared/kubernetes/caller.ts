import { type Clock, systemClock } from './clock.ts';
import type { KubernetesConnection } from './connection.ts';
import { type KubernetesError, UnavailableError } from './errors.ts';
import { type Outcome, retryAfterOf, retryDelay } from './retry.ts';
import { ServerClock } from './server-clock.ts';
import { type CallDescription, describeCall, statusError } from './status-error.ts';
import { createTransport, type HttpRequest, type Transport, TransportError } from './transport.ts';

/** Long enough for a list of many large objects and for admission webhooks, whose own limit is 10 s by default. */
const defaultTimeoutMs = 10_000;
/** An event is answered within a minute; what the API server cannot do in half of it is left to the event's redelivery. */
const defaultDeadlineMs = 30_000;

/** One attempt that came to its end, for counting API calls. */
export interface ObservedRequest {
  readonly verb: CallDescription['verb'];
  /** Plural of the kind, as in `clusters`. */
  readonly resource: string;
  readonly name: string | undefined;
  /** HTTP status; undefined when no complete answer came. */
  readonly status: number | undefined;
  readonly durationMs: number;
  /** From 1; more than that repeats a call that came to nothing. */
  readonly attempt: number;
}

/** Called after each attempt; it must not throw. */
export type RequestObserver = (request: ObservedRequest) => void;

export interface KubernetesClientOptions {
  readonly onRequest?: RequestObserver | undefined;
  /** Limit of one attempt. @default 10_000 */
  readonly timeoutMs?: number | undefined;
  /** Limit of a call with all its attempts and waits. @default 30_000 */
  readonly deadlineMs?: number | undefined;
  readonly clock?: Clock | undefined;
  /** Sent as User-Agent, which audit logs show. @default 'magnum-capi-functions' */
  readonly userAgent?: string | undefined;
}

export interface CallOptions {
  /** The call ends with the signal's reason when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Overrides the client's limit of one attempt. */
  readonly timeoutMs?: number | undefined;
  /** Overrides the client's limit of all attempts. */
  readonly deadlineMs?: number | undefined;
}

export interface ApiCall extends CallDescription, CallOptions {
  readonly resource: string;
  readonly method: HttpRequest['method'];
  readonly path: string;
  readonly body?: string | undefined;
  readonly contentType?: string | undefined;
  /** Whether sending it twice does no harm; see `retryDelay`. */
  readonly repeatable: boolean;
  /** Beside the client's. */
  readonly onRequest?: RequestObserver | undefined;
}

interface Attempt {
  readonly token: string | undefined;
  /** On the monotonic clock. */
  readonly endsAt: number;
  /** From 1. */
  readonly attempt: number;
}

/** Makes calls: authentication, limits, repetition, typed errors. */
export class Caller {
  readonly serverClock: ServerClock;
  readonly #connection: KubernetesConnection;
  readonly #options: KubernetesClientOptions;
  readonly #clock: Clock;
  readonly #transport: Transport;

  constructor(connection: KubernetesConnection, options: KubernetesClientOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#transport = createTransport(connection);
    this.serverClock = new ServerClock(this.#clock);
  }

  close(): void {
    this.#transport.close();
  }

  /**
   * The body of a successful answer. The API server has checked it against the schema of its kind, so it is taken as what
   * the caller says it is.
   * @throws KubernetesError for every other end, except the reason of an aborted signal.
   */
  async call<Body>(call: ApiCall): Promise<Body> {
    const endsAt = this.#clock.monotonic() + (call.deadlineMs ?? this.#options.deadlineMs ?? defaultDeadlineMs);
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#authenticated(call, endsAt, attempt);
      if (outcome.kind === 'answer' && outcome.answer.status < 300) return parseBody(call, outcome.answer.body);
      const delay = retryDelay(outcome, { repeatable: call.repeatable, attempt });
      if (delay === undefined || this.#clock.monotonic() + delay >= endsAt) throw errorOf(call, outcome);
      await this.#clock.sleep(delay, call.signal);
      call.signal?.throwIfAborted();
    }
  }

  /** A 401 gets one more attempt when there is another token by now: the file may have been replaced a moment ago. */
  async #authenticated(call: ApiCall, endsAt: number, attempt: number): Promise<Outcome> {
    const token = await this.#token(call);
    const outcome = await this.#attempt(call, { token, endsAt, attempt });
    if (token === undefined || outcome.kind !== 'answer' || outcome.answer.status !== 401) return outcome;
    const newToken = await this.#token(call, token);
    return newToken === token ? outcome : this.#attempt(call, { token: newToken, endsAt, attempt: attempt + 1 });
  }

  async #token(call: ApiCall, rejected?: string): Promise<string | undefined> {
    try {
      return await this.#connection.token?.(rejected);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new UnavailableError(`${describeCall(call)}: there is no token: ${reason}`, { cause });
    }
  }

  async #attempt(call: ApiCall, { token, endsAt, attempt }: Attempt): Promise<Outcome> {
    const startedAt = this.#clock.monotonic();
    const limit = call.timeoutMs ?? this.#options.timeoutMs ?? defaultTimeoutMs;
    let status: number | undefined;
    try {
      const answer = await this.#transport.send({
        method: call.method,
        path: call.path,
        headers: this.#headers(call, token),
        body: call.body,
        timeoutMs: Math.min(limit, endsAt - startedAt),
        signal: call.signal,
      });
      status = answer.status;
      this.serverClock.observe(answer.headers.date);
      return { kind: 'answer', answer, retryAfter: retryAfterOf(answer, this.#clock.now()) };
    } catch (error) {
      if (error instanceof TransportError) return { kind: 'failure', error };
      throw error;
    } finally {
      const { verb, resource, name } = call;
      const observed = { verb, resource, name, status, durationMs: this.#clock.monotonic() - startedAt, attempt };
      this.#options.onRequest?.(observed);
      call.onRequest?.(observed);
    }
  }

  #headers(call: ApiCall, token: string | undefined): Record<string, string> {
    return {
      accept: 'application/json',
      'user-agent': this.#options.userAgent ?? 'magnum-capi-functions',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(call.body === undefined
        ? {}
        : {
            'content-type': call.contentType ?? 'application/json',
            'content-length': String(Buffer.byteLength(call.body)),
          }),
    };
  }
}

function errorOf(call: ApiCall, outcome: Outcome): KubernetesError {
  if (outcome.kind === 'failure') {
    return new UnavailableError(`${describeCall(call)}: ${outcome.error.message}`, { cause: outcome.error });
  }
  const { status, body } = outcome.answer;
  return statusError(call, { status, body, retryAfter: outcome.retryAfter });
}

/** A proxy may answer 200 with a page of its own. */
function parseBody<Body>(call: ApiCall, text: string): Body {
  try {
    const body = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return body;
  } catch {
    // The text is none of JSON and may be anything, so the error does not repeat it.
  }
  throw new UnavailableError(`${describeCall(call)}: the answer is not from a Kubernetes API server`, {});
}
