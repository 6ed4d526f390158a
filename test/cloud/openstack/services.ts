import { blockStorageRoutes } from './block-storage-api.ts';
import { computeRoutes } from './compute-api.ts';
import { identityRoutes } from './identity-api.ts';
import { imageRoutes } from './image-api.ts';
import { loadBalancerRoutes } from './load-balancer-api.ts';
import { networkRoutes } from './network-api.ts';
import type { Route } from './route.ts';
import { sharedFileSystemRoutes } from './shared-file-system-api.ts';

export interface SimulatedService {
  readonly type: string;
  /** Where the service's version begins, as `/compute/v2.1`. */
  readonly root: string;
  readonly routes: readonly Route[];
}

export const simulatedServices: readonly SimulatedService[] = [
  { type: 'identity', root: '/identity/v3', routes: identityRoutes },
  { type: 'compute', root: '/compute/v2.1', routes: computeRoutes },
  { type: 'image', root: '/image/v2', routes: imageRoutes },
  { type: 'network', root: '/network/v2.0', routes: networkRoutes },
  { type: 'block-storage', root: '/volume/v3', routes: blockStorageRoutes },
  { type: 'shared-file-system', root: '/share/v2', routes: sharedFileSystemRoutes },
  { type: 'load-balancer', root: '/load-balancer/v2', routes: loadBalancerRoutes },
];

/** Paths that need no token: signing in, and the version document. */
export function isPublic(service: SimulatedService, method: string, path: string): boolean {
  if (service.type === 'identity' && method === 'POST') return path === '/auth/tokens';
  return method === 'GET' && path === '/';
}
