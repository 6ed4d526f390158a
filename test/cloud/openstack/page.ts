import { ApiError } from './api.ts';

export interface Page<T> {
  readonly items: readonly T[];
  /** Query of the next page's link; undefined on the last. */
  readonly nextQuery: string | undefined;
}

/** A page by `limit` and `marker`, as Nova, Glance and Neutron cut them: a full page always links on. */
export function page<T extends { readonly id: string }>(
  all: readonly T[],
  query: URLSearchParams,
  pageLimit: number,
): Page<T> {
  const limit = query.has('limit') ? Math.min(wholeNumber(query, 'limit'), pageLimit) : pageLimit;
  const marker = query.get('marker');
  const start = marker === null ? 0 : all.findIndex((item) => item.id === marker) + 1;
  if (marker !== null && start === 0) throw new ApiError(400, `marker [${marker}] not found`, 'BadRequest');
  const items = all.slice(start, start + limit);
  const last = items.at(-1);
  if (items.length < limit || last === undefined) return { items, nextQuery: undefined };
  const next = new URLSearchParams(query);
  next.set('marker', last.id);
  return { items, nextQuery: next.toString() };
}

/** A whole number of the query; 0 where it is missing. @throws ApiError 400 */
export function wholeNumber(query: URLSearchParams, name: string): number {
  const text = query.get(name);
  if (text === null) return 0;
  if (/^\d+$/.test(text)) return Number(text);
  const reason = `Value: ${text}. '${text}' does not match '^[0-9]*$'`;
  throw new ApiError(400, `Invalid input for query parameters ${name}. ${reason}`, 'BadRequest');
}

/** The links that Nova and Neutron add beside a page. */
export function linksBeside(key: string, base: string, nextQuery: string | undefined): Record<string, unknown> {
  return nextQuery === undefined ? {} : { [`${key}_links`]: [{ rel: 'next', href: `${base}?${nextQuery}` }] };
}
