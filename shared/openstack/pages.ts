import * as z from 'zod';
import { shaped } from './answer-shape.ts';
import { ProtocolError } from './errors.ts';
import type { Call, Session } from './session.ts';

/** More pages than any list has; ends a chain of links that leads nowhere. */
const maxPages = 1_000;

export interface List<T> {
  readonly call: Omit<Call, 'method' | 'body'>;
  /** Key of the items in the body, as `flavors`. */
  readonly key: string;
  /** Key of the link to the next page: a list of links as `flavors_links`, Keystone's `links`, or Glance's `next` itself. */
  readonly nextKey: string;
  readonly item: z.ZodType<T>;
}

const link = z.union([
  z.string(),
  z.object({ next: z.string().nullish() }).transform((links) => links.next ?? undefined),
  z.array(z.object({ rel: z.string(), href: z.string() })).transform((links) => {
    return links.find((candidate) => candidate.rel === 'next')?.href;
  }),
]);

/** All pages of a list. @throws ProtocolError where the pages do not end */
export async function listAll<T>(session: Session, list: List<T>): Promise<readonly T[]> {
  const items: T[] = [];
  const seen = new Set<string>();
  let { query } = list.call;
  for (let page = 0; page < maxPages; page++) {
    const { body } = await session.send({ ...list.call, query, method: 'GET' });
    const fields = shaped(z.record(z.string(), z.unknown()), body, list.call.service);
    items.push(...shaped(z.array(list.item), fields[list.key], list.call.service));
    const next = nextQuery(fields[list.nextKey]);
    if (next === undefined) return items;
    if (seen.has(next)) break;
    seen.add(next);
    // Octavia's links leave out the filters: without them the next page would hold what was not asked for.
    query = { ...list.call.query, ...Object.fromEntries(new URLSearchParams(next)) };
  }
  throw new ProtocolError(`OpenStack ${list.call.service} sent a list whose pages do not end.`, {
    service: list.call.service,
  });
}

/**
 * Only the query of a link is used: behind a proxy its host and scheme are often wrong, and the token must not follow it
 * to another host.
 */
function nextQuery(value: unknown): string | undefined {
  const parsed = link.safeParse(value);
  const href = parsed.success ? parsed.data : undefined;
  const start = href?.indexOf('?') ?? -1;
  return start === -1 ? undefined : href?.slice(start + 1);
}
