import { createServerGroup, deleteServerGroup, listServerGroups, type Session } from 'openstack-client-ts';
import type { ServerGroupIntent } from '../magnum/cluster-intent.ts';

/** Name of the server group of the control plane (null) or of a nodegroup, as magnum-cluster-api gives it (seed §4.3). */
export function serverGroupName(stackId: string, nodegroup: string | null): string {
  return nodegroup === null ? stackId : `${stackId}-${nodegroup}`;
}

interface WantedServerGroup {
  readonly name: string;
  readonly policy: ServerGroupIntent['policy'];
}

/**
 * Ids of the groups by name; those that do not exist are created, one after the other. `beforeWrite` runs before each
 * creation and may throw to stop it.
 */
export async function ensureServerGroups(
  session: Session,
  wanted: readonly WantedServerGroup[],
  beforeWrite: () => void,
): Promise<Map<string, string>> {
  const ids = await idsByName(session);
  for (const group of wanted) {
    if (ids.has(group.name)) continue;
    beforeWrite();
    ids.set(group.name, (await createServerGroup(session, group)).id);
  }
  return new Map(wanted.map(({ name }) => [name, ids.get(name) ?? '']));
}

/** Ids of the groups that there are of the names. */
export async function findServerGroups(
  session: Session,
  names: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const ids = await idsByName(session);
  return Object.fromEntries([...ids].filter(([name]) => names.includes(name)));
}

async function idsByName(session: Session): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  // Nova keeps no order and allows several of one name: the smallest id makes every attempt choose the same.
  for (const { name, id } of (await listServerGroups(session)).toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    if (!ids.has(name)) ids.set(name, id);
  }
  return ids;
}

/** Deletes every group that has one of the names; `beforeWrite` runs before each deletion and may throw to stop it. */
export async function deleteServerGroups(
  session: Session,
  names: readonly string[],
  beforeWrite: () => void,
): Promise<void> {
  for (const group of await listServerGroups(session)) {
    if (!names.includes(group.name)) continue;
    beforeWrite();
    await deleteServerGroup(session, group.id);
  }
}
