import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { makeServerCertificate } from '../cloud/openstack/certificate.ts';

/** A server of a test's own in the place of the API server. */
export interface ApiProxy {
  /** `https://host:port` */
  readonly server: string;
  /** PEM. */
  readonly caCertificate: string;
  stop(): Promise<void>;
}

const reviewPath = /\/(tokenreviews|subjectaccessreviews)\b/;

/** Reviews are sent like writes, and store nothing. */
export function isReview(url: string): boolean {
  return reviewPath.test(url);
}

/** @param forward answers a call; where it throws, the connection breaks */
export async function startApiProxy(
  forward: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>,
): Promise<ApiProxy> {
  const own = await makeServerCertificate();
  const proxy = createServer({ cert: own.certificate, key: own.privateKey }, (incoming, outgoing) => {
    forward(incoming, outgoing).catch(() => outgoing.destroy());
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
