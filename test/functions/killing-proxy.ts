import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { makeServerCertificate } from '../cloud/openstack/certificate.ts';

export interface KillingProxyOptions {
  /** `https://host:port` of the API server. */
  readonly server: string;
  /** PEM. */
  readonly caCertificate: string;
  /** Called when a write was carried out, before its answer is passed on; true = it never is. */
  readonly afterWrite: (call: string) => boolean;
}

/** Stands between a function and the API server, and can end the function between a write and its answer. */
export interface KillingProxy {
  readonly server: string;
  readonly caCertificate: string;
  stop(): Promise<void>;
}

/** They store nothing. */
const reviews = /\/(tokenreviews|subjectaccessreviews)\b/;

export async function startKillingProxy(options: KillingProxyOptions): Promise<KillingProxy> {
  const own = await makeServerCertificate();
  const proxy = createServer({ cert: own.certificate, key: own.privateKey }, (incoming, outgoing) => {
    forward(options, incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  return {
    server: `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    caCertificate: own.caCertificate,
    stop: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        proxy.closeAllConnections();
      }),
  };
}

async function forward(
  options: KillingProxyOptions,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method = '', url = '', headers } = incoming;
  const target = request(new URL(url, options.server), { method, headers, ca: options.caCertificate });
  const answered = new Promise<IncomingMessage>((resolve, reject) =>
    target.once('response', resolve).once('error', reject),
  );
  incoming.pipe(target);
  const response = await answered;
  const body = await buffer(response);
  const isWrite = method !== 'GET' && !reviews.test(url);
  if (isWrite && options.afterWrite(`${method} ${url}`)) return;
  outgoing.writeHead(response.statusCode ?? 502, response.headers).end(body);
}
