import { InvalidEventError } from '../contract/errors.ts';
import { isRfc3339 } from './rfc3339.ts';

/** Events of Knative's sources come through a broker; every other event is a request and comes from its sender directly. */
const brokerTypes = 'dev.knative.';

/** Characters. The reply carries these attributes in its headers, and clients stop at 16 KiB of headers. */
const longestCopied = 512;

/** Characters of a name that an error repeats. */
const longestName = 40;

/** A valid event as a function receives it. */
export interface CloudEventIn<Type extends string = string, Data = unknown> {
  readonly id: string;
  readonly source: string;
  readonly type: Type;
  /** `''` when there is none; a request always has one. */
  readonly subject: string;
  /** RFC 3339 as sent; the time of arrival when an event that is no request has none. */
  readonly time: string;
  /** Extension attributes by name, `partitionkey` among them; a value may be empty. */
  readonly extensions: Readonly<Record<string, string>>;
  readonly data: Data;
}

/** What a function answers; the host adds id and source. */
export interface CloudEventOut {
  readonly type: string;
  readonly data: unknown;
  /** URI of the JSON Schema of `data`. */
  readonly dataschema?: string | undefined;
  /** @default the subject of the event that is answered */
  readonly subject?: string | undefined;
  /** @default the partition key of the event that is answered */
  readonly partitionkey?: string | undefined;
  /** When what it tells was the case. @default when it is sent */
  readonly time?: Date | undefined;
  /** Further extension attributes by name. */
  readonly extensions?: Readonly<Record<string, string>> | undefined;
}

/** The attributes of an event without its data. */
export type EventAttributes = Omit<CloudEventIn, 'data'>;

/** Whether an event of this type is delivered by a broker rather than by a sender of requests. */
export function isBrokerType(type: string): boolean {
  return type.startsWith(brokerTypes);
}

/**
 * Checks context attributes, whichever mode they came in.
 * @throws InvalidEventError that names the first wrong one
 */
export function parseAttributes(attributes: Readonly<Record<string, unknown>>, arrived: Date): EventAttributes {
  const { specversion, id, source, type, subject, time, datacontenttype, dataschema, ...extensions } =
    textsOf(attributes);
  if (specversion !== '1.0') throw invalid('specversion', 'must be 1.0');
  const event = {
    id: required('id', short('id', id)),
    source: required('source', source),
    type: required('type', type),
    subject: short('subject', subject),
    time: timeOf(time),
    extensions,
  };
  short('partitionkey', extensions['partitionkey']);
  if (isBrokerType(event.type)) return { ...event, time: event.time || arrived.toISOString() };
  required('subject', event.subject);
  required('time', event.time);
  return event;
}

/** CloudEvents 1.0 §3.1 for names, §3.2 for values: no control characters, no lone surrogates. */
function textsOf(attributes: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.entries(attributes).map(([name, value]): [string, string] => {
    if (!/^[a-z0-9]+$/.test(name)) throw new InvalidEventError('The name of an attribute is not all of a-z and 0-9.');
    if (typeof value !== 'string' || /\p{Cc}/u.test(value) || !value.isWellFormed())
      throw invalid(name, 'is no plain text');
    return [name, value];
  });
  return Object.fromEntries(texts);
}

function required(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw invalid(name, 'is missing');
  return value;
}

function short(name: string, value = ''): string {
  if (value.length > longestCopied) throw invalid(name, `is longer than ${longestCopied} characters`);
  return value;
}

/** RFC 3339 lets `t` and `z` be small. */
function timeOf(value = ''): string {
  const time = value.toUpperCase();
  if (time !== '' && !isRfc3339(time)) throw invalid('time', 'is no RFC 3339 time');
  return time;
}

function invalid(name: string, fault: string): InvalidEventError {
  return new InvalidEventError(`The attribute ${name.slice(0, longestName)} of the event ${fault}.`);
}
