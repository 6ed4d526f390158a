/**
 * Readers of objects whose shape nobody vouches for: what is missing, null or of another type is null or empty, and nothing
 * ever throws.
 */

/** The value at a path of own keys; undefined where there is none. */
export function partAt(value: unknown, ...path: readonly string[]): unknown {
  let part = value;
  for (const key of path) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, key)) return undefined;
    part = Reflect.get(part, key);
  }
  return part;
}

/** A text that is not empty. */
export function textAt(value: unknown, ...path: readonly string[]): string | null {
  const part = partAt(value, ...path);
  return typeof part === 'string' && part !== '' ? part : null;
}

/** A whole number ≥ 0. */
export function countAt(value: unknown, ...path: readonly string[]): number | null {
  const part = partAt(value, ...path);
  return Number.isSafeInteger(part) && Number(part) >= 0 ? Number(part) : null;
}

export function isTrueAt(value: unknown, ...path: readonly string[]): boolean {
  return partAt(value, ...path) === true;
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const part = partAt(value, ...path);
  return Array.isArray(part) ? part : [];
}

/** A moment, in milliseconds since the epoch. */
export function timeAt(value: unknown, ...path: readonly string[]): number | null {
  const text = textAt(value, ...path);
  const time = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? null : time;
}

/** The entries of a map whose values are texts, such as labels. */
export function textsAt(value: unknown, ...path: readonly string[]): Record<string, string> {
  const part = partAt(value, ...path);
  if (typeof part !== 'object' || part === null) return {};
  return Object.fromEntries(
    Object.entries(part).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
