import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { ApiError, type ApiRequest, type Cloud, isAdmin, type Reply, tokenOf } from './api.ts';
import { minorVersion } from './microversion.ts';
import { parseAsNova } from './nova-schema-words.ts';
import { wholeNumber } from './page.ts';
import { requireRole } from './policy.ts';
import type { Route } from './route.ts';
import type { ServerGroup } from './state.ts';

const hard = ['anti-affinity', 'affinity'] as const;
const all = [...hard, 'soft-anti-affinity', 'soft-affinity'] as const;
const name = z.string().min(1).max(255).regex(/\S/);

/** Nova refuses fields that it does not know, so each microversion accepts only its own form. */
const single = z.strictObject({
  server_group: z.strictObject({
    name,
    policy: z.enum(all),
    rules: z.strictObject({ max_server_per_host: z.int().min(1).optional() }).optional(),
  }),
});

function listed(
  policies: readonly [string, ...string[]],
): z.ZodType<{ server_group: { name: string; policies: [string] } }> {
  return z.strictObject({ server_group: z.strictObject({ name, policies: z.tuple([z.enum(policies)]) }) });
}

export const serverGroupRoutes: readonly Route[] = [
  { method: 'GET', path: '/os-server-groups', handle: list },
  { method: 'POST', path: '/os-server-groups', handle: create },
  { method: 'GET', path: '/os-server-groups/{id}', handle: show },
  { method: 'DELETE', path: '/os-server-groups/{id}', handle: remove },
];

function shown(group: ServerGroup, minor: number): Record<string, unknown> {
  const { id, name: called, policy, rules = {}, members, projectId, userId } = group;
  const form = minor >= 64 ? { policy, rules } : { policies: [policy], metadata: {} };
  return { id, name: called, members, ...form, ...(minor >= 13 ? { project_id: projectId, user_id: userId } : {}) };
}

function own(request: ApiRequest, cloud: Cloud): ServerGroup[] {
  const { projectId } = tokenOf(request);
  return cloud.state.serverGroups.filter((group) => group.projectId === projectId);
}

/** Nova pages this list by offset and sends no links. */
function list(request: ApiRequest, cloud: Cloud): Reply {
  requireRole(tokenOf(request), 'reader', 'os_compute_api:os-server-groups:index');
  const minor = minorVersion(request, cloud);
  const limit = Math.min(wholeNumber(request.query, 'limit') || cloud.pageLimit, cloud.pageLimit);
  const offset = wholeNumber(request.query, 'offset');
  // Whoever is no administrator is not refused, but gets his own.
  const isWide = request.query.has('all_projects') && isAdmin(tokenOf(request));
  const groups = (isWide ? cloud.state.serverGroups : own(request, cloud)).slice(offset, offset + limit);
  return { status: 200, body: { server_groups: groups.map((group) => shown(group, minor)) } };
}

function create(request: ApiRequest, cloud: Cloud): Reply {
  const minor = minorVersion(request, cloud);
  requireRole(tokenOf(request), 'member', 'os_compute_api:os-server-groups:create');
  const wanted = requested(request.body, minor);
  if (own(request, cloud).length >= cloud.state.quotas.serverGroups) {
    throw new ApiError(403, 'Quota exceeded, too many server groups.');
  }
  const { projectId, userId } = tokenOf(request);
  const group = { ...wanted, id: randomUUID(), projectId: projectId ?? '', userId, members: [] };
  cloud.state.serverGroups.push(group);
  return { status: 200, body: { server_group: shown(group, minor) } };
}

function requested(body: unknown, minor: number): Pick<ServerGroup, 'name' | 'policy' | 'rules'> {
  if (minor >= 64) {
    const { name: called, policy, rules } = parseAsNova(single, body).server_group;
    return { name: called, policy, rules };
  }
  const { name: called, policies } = parseAsNova(listed(minor >= 15 ? all : hard), body).server_group;
  return { name: called, policy: policies[0] };
}

function found(request: ApiRequest, cloud: Cloud, id: string | undefined): ServerGroup {
  // An administrator reaches those of other projects by their ids (nova/objects/instance_group.py).
  const reachable = isAdmin(tokenOf(request)) ? cloud.state.serverGroups : own(request, cloud);
  const group = reachable.find((candidate) => candidate.id === id);
  if (group === undefined) throw new ApiError(404, `Instance group ${id} could not be found.`);
  return group;
}

function show(request: ApiRequest, cloud: Cloud, { id }: Readonly<Record<string, string>>): Reply {
  requireRole(tokenOf(request), 'reader', 'os_compute_api:os-server-groups:show');
  const minor = minorVersion(request, cloud);
  return { status: 200, body: { server_group: shown(found(request, cloud, id), minor) } };
}

function remove(request: ApiRequest, cloud: Cloud, { id }: Readonly<Record<string, string>>): Reply {
  requireRole(tokenOf(request), 'member', 'os_compute_api:os-server-groups:delete');
  const group = found(request, cloud, id);
  cloud.state.serverGroups.splice(cloud.state.serverGroups.indexOf(group), 1);
  return { status: 204 };
}
