import { ApiError, type ApiRequest, type Cloud, isAdmin, type Reply, tokenOf } from './api.ts';
import { linksBeside, page } from './page.ts';
import { requireRole } from './policy.ts';
import type { Route } from './route.ts';
import type { NamedType } from './state.ts';

/** Cinder's paths may carry the project, which then must be the token's. */
export const blockStorageRoutes: readonly Route[] = [
  { method: 'GET', path: '/', handle: showVersion },
  { method: 'GET', path: '/types', handle: list },
  { method: 'GET', path: '/types/{id}', handle: show },
  { method: 'GET', path: '/{project}/types', handle: list },
  { method: 'GET', path: '/{project}/types/{id}', handle: show },
];

function showVersion(_request: ApiRequest, cloud: Cloud): Reply {
  const links = [{ rel: 'self', href: `${cloud.url}/volume/v3/` }];
  const range = { version: '3.71', min_version: '3.0' };
  return { status: 200, body: { versions: [{ id: 'v3.0', status: 'CURRENT', ...range, links }] } };
}

const misconfigured = 'The server has either erred or is incapable of performing the requested operation.';

function checkProject(request: ApiRequest, project: string | undefined): void {
  if (project !== undefined && tokenOf(request).projectId !== project) throw new ApiError(400, 'Malformed request url');
}

function shown({ id, name, projects }: NamedType): Record<string, unknown> {
  return { id, name, description: null, is_public: projects === undefined, extra_specs: {} };
}

/** An administrator sees the private ones too. */
function visible(request: ApiRequest, cloud: Cloud): NamedType[] {
  const token = tokenOf(request);
  return cloud.state.volumeTypes.filter(({ projects }) => {
    return projects === undefined || isAdmin(token) || projects.includes(token.projectId ?? '');
  });
}

function list(request: ApiRequest, cloud: Cloud, { project }: Readonly<Record<string, string>>): Reply {
  checkProject(request, project);
  requireRole(tokenOf(request), 'reader', 'volume_extension:type_get_all');
  const { items, nextQuery } = page(visible(request, cloud), request.query, cloud.pageLimit);
  const links = linksBeside('volume_type', `${cloud.url}/volume/v3${request.path}`, nextQuery);
  return { status: 200, body: { volume_types: items.map(shown), ...links } };
}

function show(request: ApiRequest, cloud: Cloud, { project, id }: Readonly<Record<string, string>>): Reply {
  checkProject(request, project);
  requireRole(tokenOf(request), 'reader', 'volume_extension:type_get');
  const { defaultVolumeType } = cloud.state;
  const isDefault = id === 'default';
  const found = visible(request, cloud).find((type) => (isDefault ? type.name === defaultVolumeType : type.id === id));
  if (found !== undefined) return { status: 200, body: { volume_type: shown(found) } };
  // Before Victoria a configured default that is not there counted as none.
  if (isDefault && defaultVolumeType !== null) throw new ApiError(500, misconfigured);
  throw new ApiError(
    404,
    isDefault ? 'Default volume type can not be found.' : `Volume type ${id} could not be found.`,
  );
}
