import type { Cloud, Reply } from './api.ts';

/** A service's versions, listed at its URL without version, where clients that know no version begin. */
interface VersionList {
  /** Path of the list. */
  readonly path: string;
  readonly id: string;
  /** Path of the version. */
  readonly root: string;
  /** Keystone and Glance answer with `300 Multiple Choices`. */
  readonly status: number;
  /** Keystone has its list one level deeper. */
  readonly isNested: boolean;
}

const lists: readonly VersionList[] = [
  { path: '/identity', id: 'v3.14', root: '/identity/v3/', status: 300, isNested: true },
  { path: '/image', id: 'v2.17', root: '/image/v2/', status: 300, isNested: false },
  { path: '/network', id: 'v2.0', root: '/network/v2.0/', status: 200, isNested: false },
  { path: '/load-balancer', id: 'v2.27', root: '/load-balancer/v2', status: 200, isNested: false },
];

/** The list of versions at that path, which needs no token; undefined where there is none. */
export function versionList(path: string, cloud: Cloud): Reply | undefined {
  const found = lists.find((list) => path === list.path || path === `${list.path}/`);
  if (found === undefined) return undefined;
  const { id, root, status, isNested } = found;
  const links = [{ rel: 'self', href: `${cloud.url}${root}` }];
  const values = [{ id, status: isNested ? 'stable' : 'CURRENT', links }];
  return { status, body: { versions: isNested ? { values } : values } };
}
