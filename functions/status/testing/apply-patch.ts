import * as z from 'zod';

const operations = z.array(
  z.object({ op: z.enum(['add', 'replace', 'remove']), path: z.string(), value: z.unknown().optional() }),
);
const container = z.record(z.string(), z.unknown());

/** A JSON Patch (RFC 6902) as the driver writes it, without lists. @returns null where its version is not the object's */
export function applyPatch(
  object: { readonly metadata: { readonly resourceVersion: string } },
  patch: unknown,
): object | null {
  let patched: object = object;
  for (const { op, path, value } of operations.parse(patch)) {
    const keys = path.split('/').slice(1);
    const names = keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    if (path !== '/metadata/resourceVersion') patched = withValue(patched, names, op === 'remove' ? undefined : value);
    else if (value !== object.metadata.resourceVersion) return null;
  }
  return patched;
}

/** A copy; undefined removes the field. */
function withValue(object: unknown, [name = '', ...further]: readonly string[], value: unknown): object {
  const { [name]: field, ...others } = container.parse(object);
  const changed = further.length === 0 ? value : withValue(field, further, value);
  return changed === undefined ? others : { ...others, [name]: changed };
}
