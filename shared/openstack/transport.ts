import http from 'node:http';
import https from 'node:https';
import { TLSSocket } from 'node:tls';
import { urlToHttpOptions } from 'node:url';

/** Idle connections are closed before the usual servers do so (5 s), so that no POST meets a connection that is closing. */
const idleTimeoutMs = 4_000;
/** More than any list of the APIs in use; keeps a wrong address from filling the memory. */
const maxBodyBytes = 32 * 1024 * 1024;
/** Enough for the calls that one function makes side by side, little enough for the service. */
const maxConnections = 16;

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly timeLimitMs: number;
  /** Ends the request when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/**
 * Why no whole answer came.
 *
 * - `unreachable`: no connection, so the service has seen nothing of the request
 * - `untrusted`: the certificate or the address cannot be used; the service has seen nothing either
 * - `cut`: the connection broke after the request may have been sent
 * - `timeout`: the attempt's time limit passed
 * - `too_large`: the answer is larger than any real one
 */
export type TransportFailure = 'unreachable' | 'untrusted' | 'cut' | 'timeout' | 'too_large';

export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly failure: TransportFailure;
  constructor(failure: TransportFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}

export interface TransportOptions {
  readonly caCertificate?: string | undefined;
  readonly insecure?: boolean | undefined;
}

export interface Transport {
  /** @throws TransportError; the signal's reason when it aborts */
  exchange(request: HttpRequest): Promise<HttpAnswer>;
  close(): void;
}

/** HTTP and HTTPS over one keep-alive pool each. */
export function createTransport(options: TransportOptions): Transport {
  const pool = { keepAlive: true, maxSockets: maxConnections, timeout: idleTimeoutMs };
  const trust = options.caCertificate === undefined ? {} : { ca: options.caCertificate };
  const plain = new http.Agent(pool);
  const secure = new https.Agent({ ...pool, ...trust, rejectUnauthorized: options.insecure !== true });
  return {
    exchange: (request) => exchange(request, { plain, secure }),
    close() {
      plain.destroy();
      secure.destroy();
    },
  };
}

interface Agents {
  readonly plain: http.Agent;
  readonly secure: https.Agent;
}

async function exchange(request: HttpRequest, agents: Agents): Promise<HttpAnswer> {
  const { signal } = request;
  signal?.throwIfAborted();
  const outgoing = start(request, agents);
  const wasSent = watchConnection(outgoing);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    outgoing.destroy();
  }, request.timeLimitMs);
  const end = () => void outgoing.destroy();
  signal?.addEventListener('abort', end, { once: true });
  try {
    const incoming = await response(outgoing, request.body);
    return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: await readBody(incoming) };
  } catch (error) {
    signal?.throwIfAborted();
    if (timedOut) throw new TransportError('timeout', `no answer within ${Math.round(request.timeLimitMs)} ms`);
    throw classify(error, outgoing, wasSent());
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

function response(outgoing: http.ClientRequest, body: string | undefined): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.on('error', reject);
    outgoing.on('response', resolve);
    outgoing.end(body);
  });
}

function start(request: HttpRequest, agents: Agents): http.ClientRequest {
  try {
    const url = new URL(request.url);
    const options = { ...urlToHttpOptions(url), method: request.method, headers: request.headers };
    if (url.protocol === 'https:') return https.request({ ...options, agent: agents.secure });
    return http.request({ ...options, agent: agents.plain });
  } catch (error) {
    throw new TransportError('untrusted', 'its address or certificate authority cannot be used', { cause: error });
  }
}

/** Whether the request can have left: a connection from the pool is ready at once, a new one when it is set up. */
function watchConnection(outgoing: http.ClientRequest): () => boolean {
  let sent = false;
  const markSent = (): void => {
    sent = true;
  };
  outgoing.once('socket', (socket) => {
    if (!socket.connecting) markSent();
    else socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', markSent);
  });
  return () => sent;
}

async function readBody(incoming: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    const buffer = Buffer.from(chunk);
    bytes += buffer.length;
    if (bytes > maxBodyBytes) throw new TransportError('too_large', `an answer of more than ${maxBodyBytes} bytes`);
    chunks.push(buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function classify(error: unknown, outgoing: http.ClientRequest, sent: boolean): TransportError {
  if (error instanceof TransportError) return error;
  const options = { cause: error };
  if (sent) return new TransportError('cut', 'the connection broke before the answer was complete', options);
  const { socket } = outgoing;
  if (socket instanceof TLSSocket && socket.authorizationError) {
    return new TransportError('untrusted', `its certificate is not trusted (${socket.authorizationError})`, options);
  }
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return new TransportError('unreachable', `no connection${code}`, options);
}
