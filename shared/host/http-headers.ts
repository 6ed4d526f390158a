import { InvalidEventError } from '../contract/errors.ts';

/** Prefix of the headers that carry attributes in binary mode. */
export const attributePrefix = 'ce-';

/** Headers by lower-case name, each with one value. */
export type Headers = ReadonlyMap<string, string>;

const unrepeatable = new Set(['authorization', 'content-encoding', 'content-type']);

/**
 * Headers as they came over the wire. Node joins repeated ones or drops all but the first, so that two readers could see
 * different events; here a repeated header that decides something is a fault.
 * @param raw names and values in turn, as in `IncomingMessage.rawHeaders`
 * @throws InvalidEventError
 */
export function readHeaders(raw: readonly string[]): Headers {
  const headers = new Map<string, string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = String(raw[index]).toLowerCase();
    if (headers.has(name) && (unrepeatable.has(name) || name.startsWith(attributePrefix))) {
      throw new InvalidEventError('A header of the event is given more than once.');
    }
    if (!headers.has(name)) headers.set(name, String(raw[index + 1]));
  }
  return headers;
}

/** The first value of a header that decides nothing; '' without one. @param name in lower case */
export function headerValue(raw: readonly string[], name: string): string {
  const index = raw.findIndex((text, at) => at % 2 === 0 && text.toLowerCase() === name);
  return index === -1 ? '' : (raw[index + 1] ?? '');
}

/**
 * Value of an attribute from its header: CloudEvents HTTP binding 1.0.2 §3.1.3.2.
 * @throws InvalidEventError for bytes, escapes or percent-encoding that are no UTF-8
 */
export function decodeHeaderValue(value: string): string {
  try {
    return decodeURIComponent(unquote(utf8(value)));
  } catch (error) {
    throw new InvalidEventError('The header of an attribute is not valid UTF-8 with percent-encoding.', {
      cause: error,
    });
  }
}

/** Value of an attribute for its header: percent-encodes all but printable ASCII, and space, `"` and `%`. */
export function encodeHeaderValue(value: string): string {
  return value.toWellFormed().replace(/[^!-~]|["%]/gu, encodeBytes);
}

function encodeBytes(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}

/** Node reads header bytes as Latin-1; senders that forget percent-encoding mean UTF-8. */
function utf8(value: string): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(value, 'latin1'));
}

function unquote(value: string): string {
  return /^"(?:[^"\\]|\\.)*"$/s.test(value) ? value.slice(1, -1).replace(/\\(.)/gs, '$1') : value;
}
