import type { IncomingMessage, ServerResponse } from 'node:http';
import { request } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { type ApiProxy, startApiProxy } from '../functions/api-proxy.ts';

/** What of answers is changed. */
export interface Alteration {
  readonly body?: (text: string) => string;
  /** @param date milliseconds since the epoch */
  readonly date?: (date: number) => number;
}

interface ApiServer {
  readonly server: string;
  readonly caCertificate: string;
}

/** Stands in front of an API server, whose answers are its own but for what is altered. */
export function startAlteringProxy(target: ApiServer, alteration: Alteration): Promise<ApiProxy> {
  return startApiProxy((incoming, outgoing) => forward(target, alteration, incoming, outgoing));
}

async function forward(
  { server, caCertificate }: ApiServer,
  { body = (text) => text, date = (time) => time }: Alteration,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method, url = '', headers } = incoming;
  const { host: _, ...forwarded } = headers;
  const sent = request(new URL(url, server), { method, headers: forwarded, ca: caCertificate });
  const content = await buffer(incoming);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject).end(content);
  });
  const text = body((await buffer(answer)).toString('utf8'));
  const { date: given = '', 'content-length': __, 'transfer-encoding': ___, ...rest } = answer.headers;
  outgoing.writeHead(answer.statusCode ?? 502, { ...rest, date: new Date(date(Date.parse(given))).toUTCString() });
  outgoing.end(text);
}
