import http from 'node:http';
import https from 'node:https';
import { rootCertificates } from 'node:tls';
import type { BinaryMessage } from './http-binding.ts';

/** Where reports go. */
export interface SinkAddress {
  /** `http:` or `https:`; inside the cluster a broker's ingress speaks plain HTTP by default. */
  readonly url: string;
  /** PEM of the authorities that signed the sink's certificate, trusted beside those of Node. */
  readonly caCertificates?: string | undefined;
}

export interface SinkAnswer {
  readonly status: number;
  /** The Retry-After header. */
  readonly retryAfter: string | undefined;
}

/** Sends messages over kept connections. */
export interface SinkConnection {
  /** One attempt. @throws Error when no whole answer came; the signal's reason when it aborts */
  send(message: BinaryMessage, signal: AbortSignal): Promise<SinkAnswer>;
  close(): void;
}

/** Go servers, as brokers are, close an idle connection later than this: closing first avoids a race. */
const idleMs = 30_000;

export function connectSink({ url, caCertificates }: SinkAddress): SinkConnection {
  const isSecure = new URL(url).protocol === 'https:';
  const pool = { keepAlive: true, timeout: idleMs };
  const trust = caCertificates === undefined ? {} : { ca: [...rootCertificates, caCertificates] };
  const agent = isSecure ? new https.Agent({ ...pool, ...trust }) : new http.Agent(pool);
  const start = isSecure ? https.request : http.request;
  return {
    send: ({ headers, body }, signal) =>
      new Promise((resolve, reject) => {
        const length = { 'content-length': Buffer.byteLength(body) };
        const outgoing = start(url, { method: 'POST', agent, signal, headers: { ...headers, ...length } });
        const fail = (error: Error) => reject(signal.aborted ? signal.reason : error);
        outgoing.on('error', fail).on('response', (response) => {
          const { statusCode: status = 0, headers: answered } = response;
          // What it says beside its status is of no use, but unread it would hold the connection.
          response.resume().on('error', fail);
          response.on('end', () => resolve({ status, retryAfter: answered['retry-after'] }));
        });
        outgoing.end(body);
      }),
    close: () => agent.destroy(),
  };
}
