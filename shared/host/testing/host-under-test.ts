import { type ClientRequest, type IncomingHttpHeaders, type RequestOptions, request } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import type { RejectedError } from '../../contract/errors.ts';
import { noAuthentication } from '../authenticator.ts';
import { eventFunction } from '../event-function.ts';
import { type HostOptions, startHost } from '../host.ts';
import { createLogger } from '../logger.ts';

export const requestType = 'org.openstack.magnum.cluster.create.v1';
export const brokerType = 'dev.knative.apiserver.ref.update';
export const replyType = 'org.openstack.magnum.operation.accepted.v1';

export const requestSchema = z.looseObject({
  cluster: z.looseObject({ uuid: z.string(), name: z.string().nullish() }),
});

/** Headers of a valid request in binary mode. */
export const requestHeaders = {
  'ce-specversion': '1.0',
  'ce-id': 'req-1',
  'ce-source': '/magnum/conductor',
  'ce-type': requestType,
  'ce-subject': 'a3f0b1c2-0000-4000-8000-000000000001',
  'ce-time': '2026-11-29T10:00:00.123456Z',
  'ce-partitionkey': 'a3f0b1c2-0000-4000-8000-000000000001',
  'content-type': 'application/json',
};
export const requestData = { cluster: { uuid: 'a3f0b1c2-0000-4000-8000-000000000001' } };

/** Headers of a valid event of a Knative source in binary mode. */
export const brokerHeaders = { ...requestHeaders, 'ce-id': 'ref-1', 'ce-type': brokerType };

/** A function that accepts every request and says nothing to events of sources. */
export const echo = eventFunction({
  name: 'create',
  accepts: { [requestType]: requestSchema, [brokerType]: z.unknown() },
  async handle(_context, event) {
    return event.type === requestType ? { type: replyType, data: { id: event.id } } : undefined;
  },
});

export function rejectedReply(_event: unknown, { code, message, faults }: RejectedError) {
  return { type: 'org.openstack.magnum.operation.rejected.v1', data: { code, message, faults } };
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface SentRequest extends RequestOptions {
  readonly body?: string | Buffer | undefined;
}

/** A real host on a free port, with its log. */
export interface HostUnderTest {
  readonly port: number;
  /** Lines of the log as they were written. */
  readonly log: readonly string[];
  /** Lines of the log that end an event. */
  events(): Record<string, unknown>[];
  /** @default `POST /` */
  send(sent?: SentRequest): Promise<Answer>;
  /** Sends a valid request with these changes. */
  invoke(headers?: Record<string, string | string[]>, data?: unknown): Promise<Answer>;
  close(): Promise<void>;
}

export async function hostUnderTest(options: Partial<HostOptions> = {}): Promise<HostUnderTest> {
  const log: string[] = [];
  const host = await startHost({
    routes: { '/': echo },
    port: 0,
    address: '127.0.0.1',
    authenticator: noAuthentication,
    rejectedReply,
    logger: createLogger({ destination: { write: (line) => void log.push(line) } }),
    stopDelay: 0,
    drainTime: 5000,
    ...options,
  });
  const send = ({ body, ...sent }: SentRequest = {}) => {
    const outgoing = request({ host: '127.0.0.1', port: host.port, method: 'POST', path: '/', agent: false, ...sent });
    outgoing.end(body);
    return answerTo(outgoing);
  };
  return {
    port: host.port,
    log,
    events: () => log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'event'),
    send,
    invoke: (headers, data = requestData) =>
      send({ headers: { ...requestHeaders, ...headers }, body: JSON.stringify(data) }),
    close: () => host.close(),
  };
}

/** The whole answer to a request that is being sent. */
export function answerTo(outgoing: ClientRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    outgoing.on('error', reject).on('response', (response) => {
      const { statusCode: status = 0, headers } = response;
      text(response).then((body) => resolve({ status, headers, body }), reject);
    });
  });
}
