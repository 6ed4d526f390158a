import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { KubernetesConnection } from './connection.ts';

/** Enough for the parallel reads of a burst, few enough that many functions do not crowd the API server. */
const maxSockets = 32;
/** The API server closes an idle connection after 90 s and load balancers rarely before 60 s: closing first avoids a race. */
const idleSocketMs = 30_000;
/** A page of a list is a few MiB; more than this is no answer of a sane API server and would exhaust the pod. */
const maxBodyBytes = 64 * 1024 * 1024;

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** What can go wrong on the way and may go right the next time. */
const passingErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** For this one attempt, from asking for a connection to the end of the body. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** No complete answer came. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  /** Whether another attempt may succeed; a certificate that is not trusted will not be trusted the next time. */
  readonly passing: boolean;
  /** The server cannot have seen the request: no connection came about, or a kept one was found closed before use. */
  readonly neverSent: boolean;

  constructor(
    message: string,
    options: { readonly passing: boolean; readonly neverSent: boolean; readonly cause: unknown },
  ) {
    super(message, { cause: options.cause });
    this.passing = options.passing;
    this.neverSent = options.neverSent;
  }
}

export interface Transport {
  /**
   * One attempt.
   * @throws TransportError when no complete answer came; the signal's reason when it aborts.
   */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** Closes the kept connections. */
  close(): void;
}

/**
 * HTTP/1.1 over one pool of kept connections.
 * @throws Error for plain HTTP to another host, where tokens and Secrets could be read on the way.
 */
export function createTransport(connection: KubernetesConnection): Transport {
  const server = new URL(connection.server);
  const secure = server.protocol === 'https:';
  if (!secure && !(server.protocol === 'http:' && loopbackHosts.has(server.hostname))) {
    throw new Error(`The API server ${server.origin} must be reached by https.`);
  }
  const pool = { keepAlive: true, maxSockets, timeout: idleSocketMs };
  const target: Target = {
    base: server.href.replace(/\/$/, ''),
    agent: secure ? new https.Agent({ ...pool, ...tlsOptions(connection) }) : new http.Agent(pool),
    start: secure ? https.request : http.request,
    connected: secure ? 'secureConnect' : 'connect',
  };
  return { send: (request) => attempt(target, request), close: () => target.agent.destroy() };
}

interface Target {
  readonly base: string;
  readonly agent: http.Agent;
  readonly start: (url: string, options: http.RequestOptions) => http.ClientRequest;
  /** Event of a new socket after which it carries requests. */
  readonly connected: 'connect' | 'secureConnect';
}

function tlsOptions(connection: KubernetesConnection): https.AgentOptions {
  const { caCertificate, clientCertificate, serverName } = connection;
  return {
    rejectUnauthorized: connection.insecureSkipTlsVerify !== true,
    ...(caCertificate === undefined ? {} : { ca: caCertificate }),
    ...(serverName === undefined ? {} : { servername: serverName }),
    ...(clientCertificate === undefined
      ? {}
      : { cert: clientCertificate.certificate, key: clientCertificate.privateKey }),
  };
}

async function attempt(target: Target, request: HttpRequest): Promise<HttpAnswer> {
  request.signal?.throwIfAborted();
  const limit = AbortSignal.timeout(Math.max(1, Math.ceil(request.timeoutMs)));
  const signal = request.signal === undefined ? limit : AbortSignal.any([limit, request.signal]);
  const { method, headers, agent } = { ...request, ...target };
  const outgoing = target.start(`${target.base}${request.path}`, { method, headers, agent, signal });
  const wasNeverSent = watchSending(outgoing, target.connected);
  try {
    const response = await responseTo(outgoing, request.body);
    return { status: response.statusCode ?? 0, headers: response.headers, body: await readBody(response) };
  } catch (cause) {
    request.signal?.throwIfAborted();
    throw transportError(cause, {
      timedOutAfterMs: limit.aborted ? request.timeoutMs : undefined,
      neverSent: wasNeverSent(),
    });
  }
}

/**
 * On a kept connection the request waits one turn of the event loop: if the server has closed it meanwhile, that is
 * noticed before anything is sent, and any call may go over a new connection.
 */
function responseTo(outgoing: http.ClientRequest, body: string | undefined): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.on('response', resolve);
    outgoing.on('error', reject);
    outgoing.once('socket', (socket: Socket) => {
      if (isKept(socket)) setImmediate(() => outgoing.end(body));
      else outgoing.end(body);
    });
  });
}

/** Node's own `reusedSocket` leaves out a connection that the request has waited for. */
function isKept({ connecting }: Socket): boolean {
  return !connecting;
}

/** Tells afterwards whether not a byte of the request can have reached the server. */
function watchSending(outgoing: http.ClientRequest, connected: Target['connected']): () => boolean {
  let wasNeverSent = () => true;
  outgoing.once('socket', (socket: Socket) => {
    if (isKept(socket)) {
      const before = socket.bytesWritten;
      wasNeverSent = () => socket.bytesWritten === before;
    } else {
      let usable = false;
      socket.once(connected, () => {
        usable = true;
      });
      wasNeverSent = () => !usable;
    }
  });
  return () => wasNeverSent();
}

async function readBody(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBodyBytes) throw new Error(`the answer is larger than ${maxBodyBytes} bytes`);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function transportError(
  cause: unknown,
  what: { readonly timedOutAfterMs: number | undefined; readonly neverSent: boolean },
): TransportError {
  const { timedOutAfterMs, neverSent } = what;
  if (timedOutAfterMs !== undefined) {
    return new TransportError(`no answer within ${timedOutAfterMs} ms`, { passing: true, neverSent, cause });
  }
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  // A name with several addresses that all refuse gives an error without a message.
  const message = (cause instanceof Error ? cause.message : String(cause)) || code;
  return new TransportError(message, { passing: passingErrors.has(code), neverSent, cause });
}
