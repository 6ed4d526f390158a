import { MIMEType } from 'node:util';
import { InvalidEventError } from '../contract/errors.ts';
import { type CloudEventOut, type EventAttributes, parseAttributes } from './cloud-event.ts';
import { attributePrefix, decodeHeaderValue, encodeHeaderValue, type Headers } from './http-headers.ts';
import { parseJson } from './json-body.ts';

/** Where an HTTP request carries the attributes of its event: in headers, or in the body with the data. */
export type ContentMode = 'binary' | 'structured';

/** Members of an event in the JSON format: more than anybody sends, and each is checked. Headers are bounded by their size. */
const mostMembers = 256;

const textAttributes = new Set([
  'specversion',
  'id',
  'source',
  'type',
  'subject',
  'time',
  'datacontenttype',
  'dataschema',
]);

/** Media types of events as a whole: the JSON format, batches of it, and formats that nobody reads here. */
const eventFormats = 'application/cloudevents';

/**
 * Tells the modes apart and refuses what is neither: batches, other event formats, compressed bodies.
 * @throws InvalidEventError
 */
export function contentMode(headers: Headers): ContentMode {
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw new InvalidEventError('A content encoding is not supported.');
  const contentType = headers.get('content-type');
  if (contentType !== undefined && parseMediaType(contentType).essence.startsWith(eventFormats)) {
    if (jsonType(contentType) === `${eventFormats}+json`) return 'structured';
    throw new InvalidEventError('Of the event formats, only single events in JSON are supported.');
  }
  if (headers.has(`${attributePrefix}specversion`)) return 'binary';
  throw new InvalidEventError('The request is no CloudEvent: it has neither ce- headers nor a structured body.');
}

/**
 * Refuses the media type of data that cannot be read: only JSON can.
 * @throws InvalidEventError
 */
export function checkDataType(contentType: string | undefined): void {
  jsonType(contentType);
}

/** @throws InvalidEventError */
export function binaryAttributes(headers: Headers, arrived: Date): EventAttributes {
  const attributes: [string, string][] = [];
  for (const [header, value] of headers) {
    if (header.startsWith(attributePrefix)) {
      attributes.push([header.slice(attributePrefix.length), decodeHeaderValue(value)]);
    }
  }
  if (headers.has('ce-data') || headers.has('ce-datacontenttype')) {
    throw new InvalidEventError('In binary mode the data is the body and its type the Content-Type.');
  }
  return parseAttributes(Object.fromEntries(attributes), arrived);
}

/**
 * @param isRead whether the data of a type is wanted; what is not may be of any media type
 * @throws InvalidEventError
 */
export function structuredEvent(
  body: Uint8Array,
  arrived: Date,
  isRead: (type: string) => boolean = () => true,
): EventAttributes & { readonly data: unknown } {
  const document = parseJson(body);
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new InvalidEventError('The body is not one event in the JSON event format.');
  }
  if (Object.keys(document).length > mostMembers) {
    throw new InvalidEventError(`The event has more than ${mostMembers} members.`);
  }
  const { data, data_base64: encoded, ...members } = Object.fromEntries(Object.entries(document));
  const attributes = parseAttributes(attributesFromJson(members), arrived);
  if (!isRead(attributes.type)) return { ...attributes, data: undefined };
  checkDataType(typeof members['datacontenttype'] === 'string' ? members['datacontenttype'] : undefined);
  if (encoded === undefined || encoded === null) return { ...attributes, data };
  if (data !== undefined) throw new InvalidEventError('The event has both data and data_base64.');
  return { ...attributes, data: parseJson(fromBase64(encoded)) };
}

/** An event in binary mode, ready to be sent. */
export interface BinaryMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The attributes that the sender of an event adds to what it says. */
export interface SentEvent extends CloudEventOut {
  readonly id: string;
  readonly source: string;
  readonly time: Date;
}

/** @throws TypeError when the data cannot be written as JSON */
export function binaryMessage(event: SentEvent): BinaryMessage {
  const { data, time, extensions, ...attributes } = event;
  const headers: Record<string, string> = { 'content-type': 'application/json', 'ce-specversion': '1.0' };
  for (const [name, value] of Object.entries({ ...extensions, ...attributes, time: time.toISOString() })) {
    if (value !== undefined && value !== '') headers[`${attributePrefix}${name}`] = encodeHeaderValue(value);
  }
  return { headers, body: JSON.stringify(data ?? null) };
}

/** The media type without parameters, when it is JSON (CloudEvents JSON format 1.0.2 §3.1) or absent. */
function jsonType(contentType: string | undefined): string {
  if (contentType === undefined) return 'application/json';
  const { essence, params } = parseMediaType(contentType);
  const charset = params.get('charset')?.toLowerCase() ?? 'utf-8';
  const isJson = /[/+]json$/.test(essence);
  if (!isJson || !['utf-8', 'utf8', 'us-ascii'].includes(charset)) {
    throw new InvalidEventError('The content type must be JSON in UTF-8.');
  }
  return essence;
}

function parseMediaType(contentType: string): MIMEType {
  try {
    return new MIMEType(contentType);
  } catch (error) {
    throw new InvalidEventError('The content type is not valid.', { cause: error });
  }
}

/** CloudEvents JSON format 1.0.2 §2: null means absent; extensions may be booleans and integers, which are text elsewhere. */
function attributesFromJson(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const present = Object.entries(members).filter(([, value]) => value !== null);
  return Object.fromEntries(
    present.map(([name, value]) => [name, isScalarExtension(name, value) ? String(value) : value]),
  );
}

function isScalarExtension(name: string, value: unknown): boolean {
  return !textAttributes.has(name) && (typeof value === 'boolean' || Number.isSafeInteger(value));
}

function fromBase64(value: unknown): Uint8Array {
  if (typeof value !== 'string' || !/^[A-Za-z0-9+/\s]*={0,2}$/.test(value)) {
    throw new InvalidEventError('The data_base64 of the event is not base64.');
  }
  return Buffer.from(value, 'base64');
}
