import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { answer, faultReply } from './answer.ts';
import type { Cloud, Reply } from './api.ts';
import type { Fault, Faults } from './faults.ts';
import { type SimulatedService, simulatedServices } from './services.ts';
import { versionList } from './version-list.ts';

/** One request, as the log keeps it. */
export interface RequestRecord {
  readonly service: string;
  readonly method: string;
  /** Without query. */
  readonly path: string;
  readonly query: string;
  /** null where the connection was cut. */
  readonly status: number | null;
  /** Value of OpenStack-API-Version. */
  readonly microversion: string | null;
}

export interface Serving {
  readonly cloud: Cloud;
  readonly faults: Faults;
  readonly requests: RequestRecord[];
  /** Ends the waits of slow answers. */
  readonly stopping: AbortSignal;
}

interface Received {
  readonly service: SimulatedService | undefined;
  readonly incoming: IncomingMessage;
  readonly url: URL;
  readonly body: string;
}

/** Takes one request from its first to its last byte, with the fault that waits for it. */
export async function serve(incoming: IncomingMessage, outgoing: ServerResponse, serving: Serving): Promise<void> {
  const url = new URL(incoming.url ?? '/', serving.cloud.url);
  const service = simulatedServices.find(({ root }) => `${url.pathname}/`.startsWith(`${root}/`));
  const received = { service, incoming, url, body: await read(incoming) };
  const fault = serving.faults.take(faultTarget(received));
  await fault?.before?.();
  if (fault?.delayMs !== undefined) await sleep(fault.delayMs, undefined, { signal: serving.stopping });
  const reply = fault?.cut === 'before' ? undefined : await replyTo(received, fault, serving.cloud);
  const isCut = fault?.cut !== undefined;
  serving.requests.push(record(received, isCut ? null : (reply?.status ?? null)));
  if (reply === undefined || fault?.cut === 'after') outgoing.destroy();
  else write(outgoing, reply, isCut);
}

async function read(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

function faultTarget({ service, incoming, url, body }: Received): Parameters<Faults['take']>[0] {
  const { method = '', headers } = incoming;
  const value = headers['x-auth-token'];
  const token = typeof value === 'string' ? value : undefined;
  return { service: service?.type ?? '', method, path: url.pathname, query: url.searchParams, body, token };
}

function record({ service, incoming, url }: Received, status: number | null): RequestRecord {
  const asked = incoming.headers['openstack-api-version'];
  const microversion = typeof asked === 'string' ? asked : null;
  const method = incoming.method ?? '';
  return { service: service?.type ?? '', method, path: url.pathname, query: url.search, status, microversion };
}

async function replyTo(received: Received, fault: Fault | undefined, cloud: Cloud): Promise<Reply> {
  const { service, incoming, url, body } = received;
  if (fault?.status !== undefined) return faultReply(service?.type ?? '', fault, fault.status);
  const { method = '', headers } = incoming;
  const query = url.searchParams;
  if (cloud.keystone !== null && `${url.pathname}/`.startsWith('/identity/')) {
    const path = url.pathname.slice('/identity'.length);
    return cloud.keystone.forward({ method, path, query, headers, body });
  }
  if (service === undefined) return versionList(url.pathname, cloud) ?? { status: 404, body: 'Not Found' };
  const path = url.pathname.slice(service.root.length) || '/';
  return answer(service, { method, path, query, headers, body }, cloud);
}

function write(outgoing: ServerResponse, reply: Reply, isCut: boolean): void {
  const isText = typeof reply.body === 'string';
  const text = isText ? String(reply.body) : reply.body === undefined ? '' : JSON.stringify(reply.body);
  const bytes = Buffer.from(text);
  outgoing.writeHead(reply.status, {
    'content-type': isText ? 'text/html' : 'application/json',
    'content-length': bytes.length,
    'x-openstack-request-id': `req-${crypto.randomUUID()}`,
    ...reply.headers,
  });
  if (!isCut) outgoing.end(bytes);
  else outgoing.write(bytes.subarray(0, bytes.length / 2), () => outgoing.destroy());
}
