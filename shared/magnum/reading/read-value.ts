import { quote } from '../syntax/quote.ts';
import type { Parse } from '../syntax/text-format.ts';

/** More than any label or field needs; Magnum's columns are not longer either. */
const maximumLength = 4096;

/** Control characters, line and paragraph separators, halves of surrogate pairs: they break the files that values end up in. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

interface Reading<Value> {
  readonly parse: Parse<Value>;
  /** An empty value counts as a value. @default false */
  readonly keepsEmpty?: boolean;
  /** The value may hold a password: messages do not show it. @default false */
  readonly secret?: boolean;
}

/** Nothing there, a value, or what is wrong as the continuation of a title. */
type ReadResult<Value> = { readonly unset: true } | { readonly value: Value } | { readonly problem: string };

/** Whether there is no value: missing, null, or blank. */
export function isUnset(raw: unknown, keepsEmpty: boolean): boolean {
  if (raw === null || raw === undefined) return true;
  return typeof raw === 'string' && !keepsEmpty && raw.trim() === '';
}

/** Reads one JSON value as Magnum's labels and fields have them: text, but numbers and booleans are taken too. */
export function readValue<Value>(raw: unknown, reading: Reading<Value>): ReadResult<Value> {
  if (isUnset(raw, reading.keepsEmpty ?? false)) return { unset: true };
  if (typeof raw === 'object') return { problem: ' is a list or an object instead of text' };
  const text = String(raw).trim();
  if (text.length > maximumLength) return { problem: ` is longer than ${maximumLength} characters` };
  if (unprintable.test(text)) return { problem: ' has line breaks or control characters' };
  const parsed = reading.parse(text);
  if ('value' in parsed) return { value: parsed.value };
  return { problem: reading.secret ? ` ${parsed.problem}` : `: ${quote(text)} ${parsed.problem}` };
}
