import { isDeepStrictEqual } from 'node:util';

type Json = Readonly<Record<string, unknown>>;

/** The JSON merge patch (RFC 7386) from one object to another; undefined where they are equal. Lists are replaced whole. */
export function mergePatch(before: Json, after: Json): Json | undefined {
  const changes = [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
    const change = changeOf(before[key], after[key]);
    return change === undefined ? [] : [[key, change] as const];
  });
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

function changeOf(before: unknown, after: unknown): unknown {
  if (isDeepStrictEqual(before, after)) return undefined;
  if (isObject(before) && isObject(after)) return mergePatch(before, after);
  return after === undefined ? null : after;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
