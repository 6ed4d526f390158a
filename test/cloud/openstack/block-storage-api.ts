import { ApiError, type ApiRequest, type Cloud, type Reply, tokenOf } from './api.ts';
import type { Route } from './route.ts';
import type { NamedType } from './state.ts';

/** Cinder's paths carry the project, which must be the token's. */
export const blockStorageRoutes: readonly Route[] = [
  { method: 'GET', path: '/', handle: showVersion },
  { method: 'GET', path: '/{project}/types', handle: list },
  { method: 'GET', path: '/{project}/types/{id}', handle: show },
];

function showVersion(_request: ApiRequest, cloud: Cloud): Reply {
  const links = [{ rel: 'self', href: `${cloud.url}/volume/v3/` }];
  const range = { version: '3.71', min_version: '3.0' };
  return { status: 200, body: { versions: [{ id: 'v3.0', status: 'CURRENT', ...range, links }] } };
}

function checkProject(request: ApiRequest, project: string | undefined): void {
  if (tokenOf(request).projectId !== project) throw new ApiError(400, 'Malformed request url');
}

function shown({ id, name }: NamedType): Record<string, unknown> {
  return { id, name, description: null, is_public: true, extra_specs: {} };
}

function list(request: ApiRequest, cloud: Cloud, { project }: Readonly<Record<string, string>>): Reply {
  checkProject(request, project);
  return { status: 200, body: { volume_types: cloud.state.volumeTypes.map(shown) } };
}

function show(request: ApiRequest, cloud: Cloud, { project, id }: Readonly<Record<string, string>>): Reply {
  checkProject(request, project);
  const { volumeTypes, defaultVolumeType } = cloud.state;
  const isDefault = id === 'default';
  const found = volumeTypes.find((type) => (isDefault ? type.name === defaultVolumeType : type.id === id));
  if (found !== undefined) return { status: 200, body: { volume_type: shown(found) } };
  throw new ApiError(
    404,
    isDefault ? 'Default volume type can not be found.' : `Volume type ${id} could not be found.`,
  );
}
