import { type ApiRequest, type Cloud, isAdmin, type Reply, tokenOf } from './api.ts';
import { forbidden } from './keystone-words.ts';
import type { Route } from './route.ts';

/** What Keystone knows of the cloud itself. */
export const serviceRegistryRoutes: readonly Route[] = [
  { method: 'GET', path: '/regions', handle: listRegions },
  { method: 'GET', path: '/services', handle: listServices },
];

function listRegions(_request: ApiRequest, cloud: Cloud): Reply {
  const regions = [{ id: cloud.state.region, description: '', parent_region_id: null }];
  return { status: 200, body: { regions, links: { next: null } } };
}

function listServices(request: ApiRequest, cloud: Cloud): Reply {
  if (!isAdmin(tokenOf(request))) throw forbidden('identity:list_services');
  const wanted = request.query.get('type');
  const services = cloud.state.services
    .filter(({ type }) => wanted === null || type === wanted)
    .map(({ type, name }) => ({ id: name, type, name, enabled: true }));
  return { status: 200, body: { services, links: { next: null } } };
}
