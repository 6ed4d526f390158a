import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';

const operations = z.array(
  z.object({ op: z.enum(['add', 'replace', 'remove', 'test']), path: z.string(), value: z.unknown().optional() }),
);
const container = z.record(z.string(), z.unknown());

/** A JSON Patch (RFC 6902) as the driver writes it: in a list, only what stands there is changed. @returns null where a test fails */
export function applyPatch(object: object, patch: unknown): object | null {
  let patched = object;
  for (const { op, path, value } of operations.parse(patch)) {
    const keys = path.split('/').slice(1);
    const names = keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    const isVersion = path === '/metadata/resourceVersion';
    if (!isVersion && op !== 'test') patched = withValue(patched, names, op === 'remove' ? undefined : value);
    else if (!isDeepStrictEqual(valueAt(patched, names), value)) return null;
  }
  return patched;
}

function valueAt(object: unknown, names: readonly string[]): unknown {
  return names.reduce((part: unknown, name) => container.catch({}).parse(asRecord(part))[name], object);
}

/** A copy; undefined removes the field. */
function withValue(object: unknown, [name = '', ...further]: readonly string[], value: unknown): object {
  const { [name]: field, ...others } = container.parse(asRecord(object));
  const changed = further.length === 0 ? value : withValue(field, further, value);
  const copy = changed === undefined ? others : { ...others, [name]: changed };
  return Array.isArray(object) ? Object.values(copy) : copy;
}

function asRecord(value: unknown): unknown {
  return Array.isArray(value) ? { ...value } : value;
}
