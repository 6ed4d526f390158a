import http from 'node:http';
import https from 'node:https';
import { buffer } from 'node:stream/consumers';
import { type CarriedEvent, type EventMessage, eventHeaders } from './carried-event.ts';

/** What came back; its parts are those of a reply event too. */
export interface PostAnswer extends EventMessage {
  readonly status: number;
}

export interface PostOptions {
  readonly url: string;
  readonly event: CarriedEvent;
  /** Beside the event's own. */
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds until there must be a whole answer. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/**
 * Sends an event once, in binary mode.
 * @throws Error when no whole answer comes
 */
export async function postEvent({ url, event, headers, timeout, signal }: PostOptions): Promise<PostAnswer> {
  const target = new URL(url);
  const outgoing = (target.protocol === 'https:' ? https : http).request(target, {
    method: 'POST',
    headers: { ...eventHeaders(event), ...headers },
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
  });
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    outgoing.on('error', reject).on('response', resolve).end(event.body);
  });
  const { statusCode: status = 0, rawHeaders } = response;
  return { status, rawHeaders, body: await buffer(response) };
}
