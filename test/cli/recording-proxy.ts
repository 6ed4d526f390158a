import type { IncomingMessage, ServerResponse } from 'node:http';
import { request } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { type ApiProxy, isReview, startApiProxy } from '../functions/api-proxy.ts';

/** A write as it came to the API server, with its answer. */
export interface RecordedWrite {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: unknown;
  readonly status: number;
  readonly answer: unknown;
  /** The object of a PATCH or DELETE just before; undefined where there was none. */
  readonly before: unknown;
}

export interface RecordingProxy extends ApiProxy {
  /** Reviews are none. */
  readonly writes: readonly RecordedWrite[];
}

interface ApiServer {
  readonly server: string;
  readonly caCertificate: string;
  readonly adminToken: string;
}

/** Stands between a client and the API server, and remembers what is written. */
export async function startRecordingProxy(target: ApiServer): Promise<RecordingProxy> {
  const writes: RecordedWrite[] = [];
  const proxy = await startApiProxy((incoming, outgoing) => forward(target, writes, incoming, outgoing));
  return { ...proxy, writes };
}

async function forward(
  target: ApiServer,
  writes: RecordedWrite[],
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method = '', url = '', headers } = incoming;
  const body = await buffer(incoming);
  const isWrite = method !== 'GET' && !isReview(url);
  const before = isWrite && method !== 'POST' ? await read(target, url) : undefined;
  const answer = await send(target, { method, url, headers, body });
  if (isWrite) {
    const { status } = answer;
    writes.push({ method, path: url, body: parse(body), status, answer: parse(answer.body), before });
  }
  outgoing.writeHead(answer.status, answer.headers).end(answer.body);
}

async function read(target: ApiServer, url: string): Promise<unknown> {
  const [path = ''] = url.split('?');
  const headers = { authorization: `Bearer ${target.adminToken}`, accept: 'application/json' };
  const answer = await send(target, { method: 'GET', url: path, headers, body: Buffer.alloc(0) });
  return answer.status === 200 ? parse(answer.body) : undefined;
}

interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

async function send({ server, caCertificate }: ApiServer, { method, url, headers, body }: Outgoing) {
  const { host: _, ...forwarded } = headers;
  const sent = request(new URL(url, server), { method, headers: forwarded, ca: caCertificate });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject).end(body);
  });
  return { status: response.statusCode ?? 502, headers: response.headers, body: await buffer(response) };
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
