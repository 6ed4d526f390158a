import { ApiError, type ApiRequest, type Cloud, isAdmin, type Reply, tokenOf } from './api.ts';
import { page } from './page.ts';
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
  return { ...fields, ...properties, disk_format: 'qcow2', min_ram: 0, size: null, tags: [], protected: false };
}

/** Glance reads what stands before a colon as an operator. */
function nameFilter(query: URLSearchParams): (image: Image) => boolean {
  const filter = query.get('name');
  if (filter === null) return () => true;
  const [operator = '', ...rest] = filter.split(':');
  if (rest.length === 0) return ({ name }) => name === filter;
  if (operator === 'eq') return ({ name }) => name === rest.join(':');
  throw new ApiError(400, `Unable to filter by unknown operator '${operator}'.`);
}

function list(request: ApiRequest, cloud: Cloud): Reply {
  const wanted = visible(request, cloud).filter(nameFilter(request.query));
  const { items, nextQuery } = page(wanted, request.query, cloud.pageLimit);
  const next = nextQuery === undefined ? {} : { next: `/v2/images?${nextQuery}` };
  return {
    status: 200,
    body: { images: items.map(shown), first: '/v2/images', schema: '/v2/schemas/images', ...next },
  };
}

function show(request: ApiRequest, cloud: Cloud, { id }: Readonly<Record<string, string>>): Reply {
  const image = visible(request, cloud).find((candidate) => candidate.id === id);
  if (image === undefined) throw new ApiError(404, `No image found with ID ${id}`);
  return { status: 200, body: shown(image) };
}
