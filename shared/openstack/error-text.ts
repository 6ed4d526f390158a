import * as z from 'zod';

/** Longest text of a service or user that a message repeats: a status line, not a page. */
const maxTextLength = 400;

const text = z.string().min(1);

/** The shapes in which the services word an error, inside their one top-level key (Nova, Cinder, Keystone, Neutron) or bare. */
const wording = z.union([
  z.object({ message: text }).transform((fault) => fault.message),
  z.object({ faultstring: text }).transform((fault) => fault.faultstring),
  z.object({ detail: text }).transform((fault) => fault.detail),
]);

const keyed = z.record(z.string(), z.unknown());

/** The service's own words in the body of a refusal; undefined where it has none that can be read. */
export function errorText(body: string): string | undefined {
  const json = parse(body);
  const bare = wording.safeParse(json);
  if (bare.success) return bare.data;
  const fields = keyed.safeParse(json);
  if (!fields.success) return undefined;
  for (const value of Object.values(fields.data)) {
    const inner = z.union([text, wording]).safeParse(Array.isArray(value) ? value[0] : value);
    if (inner.success) return inner.data;
  }
  return undefined;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** One line without control characters and secrets, cut to a readable length. */
export function readable(words: string, secrets: readonly string[] = []): string {
  let line = words;
  for (const secret of secrets) if (secret !== '') line = line.replaceAll(secret, '***');
  line = line
    .replaceAll(/<br ?\/?>/g, ' ')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return line.length > maxTextLength ? `${line.slice(0, maxTextLength)}…` : line;
}
