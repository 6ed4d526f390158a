import type { IncomingMessage, ServerResponse } from 'node:http';
import { request } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { type ApiProxy, isReview, startApiProxy } from './api-proxy.ts';

export interface KillingProxyOptions {
  /** `https://host:port` of the API server. */
  readonly server: string;
  /** PEM. */
  readonly caCertificate: string;
  /** Called when a write was carried out, before its answer is passed on; true = it never is. Refused ones write nothing. */
  readonly afterWrite?: (call: string) => boolean;
  /** Called with each call that comes, reviews included. */
  readonly onCall?: (call: string) => void;
  /** Called before anything is done; a status is what the API server answers instead. */
  readonly instead?: (call: string) => number | undefined;
  /** Called before anything is done, reviews aside; the call waits until this resolves. */
  readonly before?: (call: string) => Promise<void> | undefined;
}

/** Stands between a function and the API server: it can end the function between a write and its answer, and refuse calls. */
export function startKillingProxy(options: KillingProxyOptions): Promise<ApiProxy> {
  return startApiProxy((incoming, outgoing) => forward(options, incoming, outgoing));
}

async function forward(
  options: KillingProxyOptions,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method = '', url = '', headers } = incoming;
  const call = `${method} ${url}`;
  options.onCall?.(call);
  const review = isReview(url);
  if (!review) await options.before?.(call);
  const refused = review ? undefined : options.instead?.(call);
  if (refused !== undefined) return refuse(incoming, outgoing, refused);
  const target = request(new URL(url, options.server), { method, headers, ca: options.caCertificate });
  const answered = new Promise<IncomingMessage>((resolve, reject) =>
    target.once('response', resolve).once('error', reject),
  );
  incoming.pipe(target);
  const response = await answered;
  const body = await buffer(response);
  const { statusCode = 502 } = response;
  const isWrite = method !== 'GET' && !review && statusCode < 400;
  if (isWrite && options.afterWrite?.(call) === true) return;
  outgoing.writeHead(statusCode, response.headers).end(body);
}

const reasons: Readonly<Record<number, string>> = {
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  422: 'Invalid',
};

async function refuse(incoming: IncomingMessage, outgoing: ServerResponse, status: number): Promise<void> {
  await buffer(incoming);
  const reason = reasons[status] ?? 'InternalError';
  const body = {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    reason,
    code: status,
    details: { kind: 'objects' },
  };
  outgoing.writeHead(status, { 'content-type': 'application/json' });
  outgoing.end(JSON.stringify({ ...body, message: `the API server says ${reason}` }));
}
