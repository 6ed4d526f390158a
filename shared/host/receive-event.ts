import { InvalidEventError } from '../contract/errors.ts';
import { type Authenticator, type Sender, senderOf, sendersOf } from './authenticator.ts';
import type { CloudEventIn, EventAttributes } from './cloud-event.ts';
import type { EventFunction } from './event-function.ts';
import { UnauthenticatedError } from './host-errors.ts';
import { binaryAttributes, checkDataType, contentMode, structuredEvent } from './http-binding.ts';
import { type Headers, readHeaders } from './http-headers.ts';
import { describeIssues } from './issues.ts';
import { parseJson } from './json-body.ts';

/** One request that should carry an event, before anything of it is trusted. */
export interface Delivery {
  readonly target: EventFunction;
  readonly authenticator: Authenticator;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  readonly readBody: () => Promise<Uint8Array>;
  readonly arrived: Date;
  /** Told the attributes as soon as they are known, so that a refused event can be logged by its id. */
  readonly onAttributes: (attributes: EventAttributes) => void;
}

/**
 * The event of a delivery, its sender authorised and its data valid. The sender is checked before the body is read
 * wherever the headers tell who it is.
 * @throws DriverError
 */
export async function receiveEvent(delivery: Delivery): Promise<CloudEventIn> {
  const headers = readHeaders(delivery.rawHeaders);
  const event =
    contentMode(headers) === 'binary'
      ? await receiveBinary(delivery, headers)
      : await receiveStructured(delivery, headers);
  return { ...event, data: validData(delivery.target, event) };
}

async function receiveBinary(delivery: Delivery, headers: Headers): Promise<CloudEventIn> {
  const attributes = binaryAttributes(headers, delivery.arrived);
  delivery.onAttributes(attributes);
  await authorize(delivery, senderOf(attributes.type, delivery.target), headers);
  const isRead = readsData(delivery.target, attributes.type);
  if (isRead) checkDataType(headers.get('content-type'));
  const body = await delivery.readBody();
  return { ...attributes, data: isRead ? parseJson(body) : undefined };
}

async function receiveStructured(delivery: Delivery, headers: Headers): Promise<CloudEventIn> {
  const senders = sendersOf(delivery.target);
  const isCallersOnly = !senders.has('broker');
  if (isCallersOnly) await authorize(delivery, 'caller', headers);
  if (!headers.has('authorization') && ![...senders].some(delivery.authenticator.trusts)) {
    throw new UnauthenticatedError('The request has no header Authorization with a token.');
  }
  const isRead = (type: string) => readsData(delivery.target, type);
  const event = structuredEvent(await delivery.readBody(), delivery.arrived, isRead);
  delivery.onAttributes(event);
  if (!isCallersOnly) await authorize(delivery, senderOf(event.type, delivery.target), headers);
  return event;
}

function authorize(delivery: Delivery, sender: Sender, headers: Headers): Promise<void> {
  const functionName = delivery.target.name;
  return delivery.authenticator.authorize({ sender, functionName, authorization: headers.get('authorization') });
}

function readsData({ unread = [] }: EventFunction, type: string): boolean {
  return !unread.includes(type);
}

function validData({ accepts, acceptsAnyFromBroker }: EventFunction, event: CloudEventIn): unknown {
  if (acceptsAnyFromBroker === true) return event.data;
  const schema = Object.hasOwn(accepts, event.type) ? accepts[event.type] : undefined;
  if (schema === undefined) throw new InvalidEventError('The function does not take events of this type.');
  const parsed = schema.safeParse(event.data);
  if (parsed.success) return parsed.data;
  throw new InvalidEventError(
    `The data of ${event.type} does not match its schema at ${describeIssues(parsed.error)}.`,
  );
}
