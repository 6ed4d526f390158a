import { InvalidEventError } from '../contract/errors.ts';

/** A request nests seven deep; what is far deeper only overflows stacks. */
const deepest = 64;

/**
 * JSON of a request. Deep nesting and the key `__proto__`, which change objects wherever they are copied, are refused.
 * @returns undefined when there are no bytes
 * @throws InvalidEventError
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) return undefined;
  const value = readJson(bytes);
  if (!isPlain(value, deepest)) {
    throw new InvalidEventError(`The JSON nests deeper than ${deepest} levels or uses a reserved key.`);
  }
  return value;
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // The parser's own message quotes the text, which may be secret.
    throw new InvalidEventError('The body is not valid JSON in UTF-8.');
  }
}

function isPlain(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0 || Object.hasOwn(value, '__proto__')) return false;
  return Object.values(value).every((item) => isPlain(item, levels - 1));
}
