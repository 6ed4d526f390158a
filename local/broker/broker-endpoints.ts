import type { IncomingMessage, RequestListener } from 'node:http';
import { type CarriedEvent, eventData, readCarriedEvent } from '../../shared/event/carried-event.ts';
import { errorAnswer } from '../../shared/host/answer.ts';
import { readBody } from '../../shared/host/request-body.ts';
import { type Content, sendAnswer } from '../../shared/host/send-answer.ts';
import type { DeadLetters } from './dead-letters.ts';

export const ingressPath = '/broker';
const deadLettersPath = '/dead-letters';

/** Bytes, as a Kafka Broker takes. */
const largestEvent = 1024 * 1024;

export interface BrokerEndpointsOptions {
  readonly accept: (event: CarriedEvent) => void;
  readonly deadLetters: DeadLetters;
}

/** The broker's ingress and its dead letters over HTTP; everything else goes to `otherwise`. */
export function brokerEndpoints(
  { accept, deadLetters }: BrokerEndpointsOptions,
  otherwise: RequestListener,
): RequestListener {
  return (request, response) => {
    const path = request.url?.split('?', 1)[0];
    const send = (content: Content) => sendAnswer({ request, response }, content, false);
    if (path === ingressPath) takeEvent(request, accept).then(send, (error: unknown) => send(errorAnswer(error)));
    else if (path === deadLettersPath) send(request.method === 'GET' ? listOf(deadLetters) : onlyAllowed('GET'));
    else otherwise(request, response);
  };
}

function onlyAllowed(allow: string): Content {
  return { status: 405, headers: { allow }, body: '' };
}

/** @throws DriverError for what is no event */
async function takeEvent(request: IncomingMessage, accept: (event: CarriedEvent) => void): Promise<Content> {
  if (request.method !== 'POST') return onlyAllowed('POST');
  const body = await readBody(request, largestEvent, () => undefined);
  accept(readCarriedEvent({ rawHeaders: request.rawHeaders, body }));
  return { status: 202, headers: {}, body: '' };
}

/** The events in CloudEvents' JSON format, the newest last. */
function listOf({ events }: DeadLetters): Content {
  const list = events.map((event) => ({ ...event.attributes, ...dataOf(event) }));
  return { status: 200, headers: { 'content-type': 'application/json' }, body: `${JSON.stringify(list, null, 2)}\n` };
}

/** Data that is not the JSON which it says to be stays as it came. */
function dataOf(event: CarriedEvent): { readonly data: unknown } | { readonly data_base64: string } {
  try {
    return { data: eventData(event) };
  } catch {
    return { data_base64: event.body.toString('base64') };
  }
}
