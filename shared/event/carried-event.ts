import * as z from 'zod';
import { InvalidEventError } from '../contract/errors.ts';
import { contentMode } from '../host/http-binding.ts';
import { attributePrefix, decodeHeaderValue, encodeHeaderValue, readHeaders } from '../host/http-headers.ts';
import { parseJson } from '../host/json-body.ts';

/** An event on its way: whoever carries it looks at its attributes and not at its data. */
export interface CarriedEvent {
  /** Attributes and extensions by name, without `datacontenttype`; a value may be empty. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Media type of the data; undefined where there is none. */
  readonly contentType: string | undefined;
  readonly body: Buffer;
}

/** The parts of an HTTP message that can hold an event. */
export interface EventMessage {
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

/**
 * Reads an event in binary or structured mode.
 * @throws InvalidEventError for what is no CloudEvent 1.0
 */
export function readCarriedEvent({ rawHeaders, body }: EventMessage): CarriedEvent {
  const headers = readHeaders(rawHeaders);
  if (contentMode(headers) === 'structured') return checked(structured(body));
  const attributes: Record<string, string> = {};
  for (const [name, value] of headers) {
    if (name.startsWith(attributePrefix)) attributes[name.slice(attributePrefix.length)] = decodeHeaderValue(value);
  }
  return checked({ attributes, contentType: headers.get('content-type'), body });
}

/** The event in binary mode. */
export function eventHeaders({ attributes, contentType }: CarriedEvent): Record<string, string> {
  const headers: Record<string, string> = {};
  if (contentType !== undefined) headers['content-type'] = contentType;
  for (const [name, value] of Object.entries(attributes))
    headers[`${attributePrefix}${name}`] = encodeHeaderValue(value);
  return headers;
}

/** The event with these attributes added; undefined takes one away. */
export function withAttributes(
  event: CarriedEvent,
  changes: Readonly<Record<string, string | undefined>>,
): CarriedEvent {
  const attributes: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...event.attributes, ...changes })) {
    if (value !== undefined) attributes[name] = value;
  }
  return { ...event, attributes };
}

/**
 * The data of an event that carries JSON; undefined where it carries nothing or something else.
 * @throws InvalidEventError where it is not JSON after all
 */
export function eventData({ contentType, body }: CarriedEvent): unknown {
  if (body.byteLength === 0 || !/^application\/(?:[\w.-]+\+)?json\b/i.test(contentType ?? '')) return undefined;
  return parseJson(body);
}

const structuredMembers = z.record(z.string(), z.unknown());

function structured(body: Buffer): CarriedEvent {
  const document = structuredMembers.safeParse(parseJson(body));
  if (!document.success) throw new InvalidEventError('The body is not one event in the JSON event format.');
  const { data, data_base64: encoded, datacontenttype, ...members } = document.data;
  const present = Object.entries(members).filter(([, value]) => value !== null);
  const attributes = Object.fromEntries(present.map(([name, value]) => [name, String(value)]));
  const contentType = typeof datacontenttype === 'string' ? datacontenttype : 'application/json';
  if (typeof encoded === 'string') return { attributes, contentType, body: Buffer.from(encoded, 'base64') };
  if (data === undefined) return { attributes, contentType: undefined, body: Buffer.alloc(0) };
  return { attributes, contentType, body: Buffer.from(JSON.stringify(data)) };
}

function checked(event: CarriedEvent): CarriedEvent {
  if (event.attributes['specversion'] !== '1.0') throw new InvalidEventError('The event is not of CloudEvents 1.0.');
  const missing = ['id', 'source', 'type'].filter((name) => !event.attributes[name]);
  if (missing.length > 0) throw new InvalidEventError(`The event lacks ${missing.join(', ')}.`);
  return event;
}
