import { ApiError, type ApiRequest, type Cloud, type Reply } from './api.ts';
import type { Route } from './route.ts';
import type { NamedType } from './state.ts';

export const sharedFileSystemRoutes: readonly Route[] = [
  { method: 'GET', path: '/types', handle: list },
  { method: 'GET', path: '/types/{id}', handle: show },
];

function shown({ id, name }: NamedType): Record<string, unknown> {
  return { id, name, extra_specs: {}, required_extra_specs: {}, 'os-share-type-access:is_public': true };
}

/** Manila gives each list under its old name too. */
function list(_request: ApiRequest, cloud: Cloud): Reply {
  const types = cloud.state.shareTypes.map(shown);
  return { status: 200, body: { share_types: types, volume_types: types } };
}

function show(_request: ApiRequest, cloud: Cloud, { id }: Readonly<Record<string, string>>): Reply {
  const found = cloud.state.shareTypes.find((type) => type.id === id);
  if (found === undefined) throw new ApiError(404, 'Share type not found.');
  return { status: 200, body: { share_type: shown(found), volume_type: shown(found) } };
}
