import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { prometheusText } from '../telemetry/prometheus-text.ts';
import { createTelemetry, type Telemetry } from '../telemetry/telemetry.ts';
import { errorAnswer } from './answer.ts';
import type { EventFunction } from './event-function.ts';
import { type ExchangeSettings, exchangeEvent } from './exchange.ts';
import { StoppingError } from './host-errors.ts';
import { InFlight } from './in-flight.ts';
import { readBody } from './request-body.ts';
import { type Content, sendAnswer } from './send-answer.ts';

export interface ListenerOptions {
  /** Functions by the path that takes their events: `/` for one alone, `/<name>` for several. */
  readonly routes: Readonly<Record<string, EventFunction>>;
  readonly authenticator: ExchangeSettings['authenticator'];
  readonly logger: ExchangeSettings['logger'];
  readonly rejectedReply: ExchangeSettings['rejectedReply'];
  /** Bytes. @default 1 MiB */
  readonly bodyLimit?: number;
  /**
   * Milliseconds until an event is answered with 503 and its function told to stop.
   * @default 110 s: less than the 120 s after which Knative cuts the request
   */
  readonly eventTimeout?: number;
  readonly now?: () => Date;
  /** @default one that exports nothing */
  readonly telemetry?: Telemetry | undefined;
}

/** Takes events for one or more functions from any HTTP server. */
export interface FunctionListener {
  readonly listen: RequestListener;
  /** From now on the host is not ready and refuses new events. */
  stop(): void;
  /** Resolves when no event is being handled. */
  idle(): Promise<void>;
  /** Tells the functions that are at work to stop, and answers their events with 503. */
  abort(): void;
}

const mebibyte = 1024 * 1024;

interface Endpoint {
  readonly methods: readonly string[];
  readonly respond: (request: IncomingMessage, response: ServerResponse) => Content | Promise<Content>;
}

export function createListener(options: ListenerOptions): FunctionListener {
  const { routes, bodyLimit = mebibyte, eventTimeout = 110_000, now = () => new Date(), ...shared } = options;
  const { telemetry = createTelemetry() } = options;
  const inFlight = new InFlight();
  const settings: ExchangeSettings = { ...shared, eventTimeout, now, inFlight, telemetry };
  telemetry.metrics.whenAsked((metrics) => metrics.set('inFlight', {}, inFlight.size));
  let isStopping = false;

  const eventsFor = (target: EventFunction): Endpoint => ({
    methods: ['POST'],
    respond(request, response) {
      if (isStopping) return errorAnswer(new StoppingError());
      const proceed = () => {
        if (request.headers.expect !== undefined) response.writeContinue();
      };
      const read = () => readBody(request, bodyLimit, proceed);
      return exchangeEvent(target, { rawHeaders: request.rawHeaders, readBody: read }, settings);
    },
  });

  const endpoints = new Map<string, Endpoint>([
    ['/health/liveness', pageOf(() => page(200, 'alive'))],
    ['/health/readiness', pageOf(() => (isStopping ? page(503, 'stopping') : page(200, 'ready')))],
    ['/metrics', pageOf(() => page(200, prometheusText(telemetry.metrics.measured())))],
    ...Object.entries(routes).map(([path, target]): [string, Endpoint] => [path, eventsFor(target)]),
  ]);

  return {
    listen(request, response) {
      contentFor(endpoints, request, response)
        .then((content) => sendAnswer({ request, response }, content, isStopping))
        .catch((error: unknown) => {
          settings.logger.error({ err: error }, 'no answer could be sent');
          response.destroy();
        });
    },
    stop() {
      isStopping = true;
    },
    idle: () => inFlight.idle(),
    abort: () => inFlight.abort(new StoppingError()),
  };
}

async function contentFor(
  endpoints: ReadonlyMap<string, Endpoint>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Content> {
  const endpoint = endpoints.get(request.url?.split('?', 1)[0] ?? '');
  if (endpoint === undefined) return page(404, 'There is nothing here.');
  if (endpoint.methods.includes(request.method ?? '')) return await endpoint.respond(request, response);
  const allow = endpoint.methods.join(', ');
  return page(405, `Only ${allow} is allowed here.`, { allow });
}

function pageOf(show: () => Content): Endpoint {
  return { methods: ['GET', 'HEAD'], respond: show };
}

function page(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Content {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body: `${text.trimEnd()}\n` };
}
