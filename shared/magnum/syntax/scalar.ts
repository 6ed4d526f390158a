import { quote } from './quote.ts';
import type { Parse } from './text-format.ts';

/** As oslo's strutils.bool_from_string spells them, in any case. */
const spellings = new Map([
  ...['1', 't', 'true', 'on', 'y', 'yes'].map((word) => [word, true] as const),
  ...['0', 'f', 'false', 'off', 'n', 'no'].map((word) => [word, false] as const),
]);

const longestSpelling = 5;

export const boolean: Parse<boolean> = (text) => {
  const value = text.length > longestSpelling ? undefined : spellings.get(text.toLowerCase());
  return value === undefined ? { problem: 'is neither true nor false' } : { value };
};

/** What an int32 of the Kubernetes and OpenStack APIs can hold. */
const maximumCount = 2 ** 31 - 1;

interface CountOptions {
  /** As in `is not a whole number of GiB`. */
  readonly unit?: string | undefined;
  /** @default 0 */
  readonly minimum?: number | undefined;
}

/** Whole number in plain decimal digits. */
export function count({ unit, minimum = 0 }: CountOptions = {}): Parse<number> {
  const noun = unit === undefined ? 'a whole number' : `a whole number of ${unit}`;
  return (text) => {
    if (!/^[0-9]{1,10}$/.test(text)) return { problem: `is not ${noun}` };
    const value = Number(text);
    if (value < minimum) return { problem: `is below ${minimum}` };
    return value > maximumCount ? { problem: `is above ${maximumCount}` } : { value };
  };
}

/** Texts separated by commas; blanks around them and empty ones are dropped, repeated ones count once. */
export function listOf(item: Parse<string>): Parse<readonly string[]> {
  return (text) => {
    const values = new Set<string>();
    for (const part of splitList(text)) {
      const parsed = item(part);
      if ('problem' in parsed) return { problem: `has the item ${quote(part)}, which ${parsed.problem}` };
      values.add(parsed.value);
    }
    return { value: [...values] };
  };
}

export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
