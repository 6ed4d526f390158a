import { ApiError, type ApiRequest, type Cloud, isAdmin, type Reply, tokenOf } from './api.ts';
import { sameInDatabase } from './collation.ts';
import { page } from './page.ts';
import { hasRole } from './policy.ts';
import type { Route } from './route.ts';
import type { Image } from './state.ts';

export const imageRoutes: readonly Route[] = [
  { method: 'GET', path: '/images', handle: list },
  { method: 'GET', path: '/images/{id}', handle: show },
];

function visible(request: ApiRequest, cloud: Cloud): Image[] {
  const token = tokenOf(request);
  return cloud.state.images.filter(({ visibility, owner }) => {
    return visibility === 'public' || owner === token.projectId || isAdmin(token);
  });
}

function shown(image: Image): Record<string, unknown> {
  const { properties, ...fields } = image;
  const hasData = image.status !== 'queued';
  const content = { disk_format: 'qcow2', container_format: 'bare', min_ram: 0, size: hasData ? 1_000 : null };
  const digest = { os_hash_algo: 'sha512', os_hash_value: '0'.repeat(128), stores: 'file' };
  const times = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' };
  const self = `/v2/images/${image.id}`;
  const links = { self, file: `${self}/file`, schema: '/v2/schemas/image' };
  return {
    ...fields,
    ...content,
    ...(hasData ? { checksum: '0'.repeat(32), ...digest } : {}),
    ...times,
    ...links,
    tags: [],
    protected: false,
    os_hidden: false,
    ...properties,
  };
}

/** Glance reads what stands before a colon as an operator. */
function nameFilter(query: URLSearchParams): (image: Image) => boolean {
  const filter = query.get('name');
  if (filter === null) return () => true;
  const [operator = '', ...rest] = filter.split(':');
  if (rest.length === 0) return ({ name }) => sameInDatabase(name, filter);
  if (operator === 'eq') return ({ name }) => sameInDatabase(name, rest.join(':'));
  throw new ApiError(400, `Unable to filter by unknown operator '${operator}'.`);
}

/** Glance's `api_limit_max`: its `limit_param_default` is for requests without a limit alone. */
const largestPage = 1_000;

function list(request: ApiRequest, cloud: Cloud): Reply {
  requireReader(request, 'get_images');
  const wanted = visible(request, cloud).filter(nameFilter(request.query));
  refuseUnusable(request.query, wanted);
  const pageLimit = request.query.has('limit') ? largestPage : cloud.pageLimit;
  const { items, nextQuery } = page(wanted, request.query, pageLimit);
  const next = nextQuery === undefined ? {} : { next: `/v2/images?${nextQuery}` };
  return {
    status: 200,
    body: { images: items.map(shown), first: '/v2/images', schema: '/v2/schemas/images', ...next },
  };
}

function requireReader(request: ApiRequest, action: string): void {
  if (!hasRole(tokenOf(request), 'reader'))
    throw new ApiError(403, `You are not authorized to complete ${action} action.`);
}

/** What of a page Glance refuses in words of its own. */
function refuseUnusable(query: URLSearchParams, images: readonly Image[]): void {
  const [limit, marker] = [query.get('limit'), query.get('marker')];
  if (limit !== null && !/^\d+$/.test(limit)) throw new ApiError(400, 'limit param must be an integer');
  if (marker === null || images.some(({ id }) => id === marker)) return;
  throw new ApiError(400, `No image found with ID ${marker}`);
}

function show(request: ApiRequest, cloud: Cloud, { id }: Readonly<Record<string, string>>): Reply {
  const mayRead = hasRole(tokenOf(request), 'reader');
  const image = mayRead ? visible(request, cloud).find((candidate) => candidate.id === id) : undefined;
  if (image === undefined) throw new ApiError(404, `No image found with ID ${id}`);
  return { status: 200, body: shown(image) };
}
