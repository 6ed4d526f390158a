import * as z from 'zod';
import { shaped } from './answer-shape.ts';
import { deleteIfThere } from './delete.ts';
import { pickOne } from './lookup.ts';
import { type Microversion, offers } from './microversion.ts';
import type { Session } from './session.ts';

const service = 'compute';
/** First microversion with one `policy` for a group; before, a list `policies`. */
const singlePolicy: Microversion = '2.64';
/** First microversion with the soft policies. */
const softPolicies: Microversion = '2.15';
/** A page with fewer groups is the last: nobody sets Nova's `max_limit` lower, and Nova sends no links here. */
const smallestPage = 10;

export type ServerGroupPolicy = 'affinity' | 'anti-affinity' | 'soft-affinity' | 'soft-anti-affinity';

export interface ServerGroup {
  readonly id: string;
  readonly name: string;
  /** As Nova gives it; null where the group has none. */
  readonly policy: string | null;
  /** Ids of the servers in the group. */
  readonly members: readonly string[];
  /** '' from a Nova before 2.13, which does not say it. */
  readonly projectId: string;
}

const serverGroup = z
  .object({
    id: z.string(),
    name: z.string().nullish(),
    policy: z.string().nullish(),
    policies: z.array(z.string()).nullish(),
    members: z.array(z.string()).nullish(),
    project_id: z.string().nullish(),
  })
  .transform(
    ({ id, name, policy, policies, members, project_id }): ServerGroup => ({
      id,
      name: name ?? '',
      policy: policy ?? policies?.[0] ?? null,
      members: members ?? [],
      projectId: project_id ?? '',
    }),
  );

/** The newest microversion that the client knows and the service has; undefined = the service's base version. */
async function microversion(session: Session): Promise<Microversion | undefined> {
  const range = await session.microversions(service);
  return [singlePolicy, softPolicies].find((version) => offers(range, version));
}

/**
 * The project's server groups.
 * @param options.allProjects all of the cloud, for an administrator; others get their project's. @default false
 */
export async function listServerGroups(
  session: Session,
  options: { readonly allProjects?: boolean } = {},
): Promise<readonly ServerGroup[]> {
  const version = await microversion(session);
  const groups = new Map<string, ServerGroup>();
  for (let offset = 0; ; ) {
    const query = {
      ...(options.allProjects === true ? { all_projects: 'True' } : {}),
      ...(offset === 0 ? {} : { offset: String(offset) }),
    };
    const call = { service, path: '/os-server-groups', query, microversion: version };
    const { body } = await session.send({ ...call, method: 'GET' });
    const page = shaped(z.object({ server_groups: z.array(serverGroup) }), body, service).server_groups;
    for (const group of page) groups.set(group.id, group);
    if (page.length < smallestPage) return [...groups.values()];
    offset += page.length;
  }
}

/** @throws NotFoundError, AmbiguousError */
export async function findServerGroup(session: Session, nameOrId: string): Promise<ServerGroup> {
  return pickOne(await listServerGroups(session), nameOrId, { service, noun: 'server group' });
}

/** Nova does not refuse a second group of the same name: list first. @throws QuotaError */
export async function createServerGroup(
  session: Session,
  group: { readonly name: string; readonly policy: ServerGroupPolicy },
): Promise<ServerGroup> {
  const version = await microversion(session);
  const { name, policy } = group;
  const server_group = version === singlePolicy ? { name, policy } : { name, policies: [policy] };
  const call = { service, path: '/os-server-groups', body: { server_group }, microversion: version };
  const { body } = await session.send({ ...call, method: 'POST' });
  return shaped(z.object({ server_group: serverGroup }), body, service).server_group;
}

/** Returns false where there was no such group. */
export function deleteServerGroup(session: Session, id: string): Promise<boolean> {
  return deleteIfThere(session, { service, path: `/os-server-groups/${encodeURIComponent(id.toWellFormed())}` });
}
