import type { Session } from './session.ts';

export type ServerGroupPolicy = 'affinity' | 'anti-affinity' | 'soft-affinity' | 'soft-anti-affinity';

export interface ServerGroup {
  readonly id: string;
  readonly name: string;
  /** As Nova gives it; null where the group has none. */
  readonly policy: string | null;
  /** Ids of the servers in the group. */
  readonly members: readonly string[];
}

/** The project's server groups. */
export declare function listServerGroups(session: Session): Promise<readonly ServerGroup[]>;

/** @throws NotFoundError, AmbiguousError */
export declare function findServerGroup(session: Session, nameOrId: string): Promise<ServerGroup>;

/** Nova does not refuse a second group of the same name: list first. @throws QuotaError */
export declare function createServerGroup(
  session: Session,
  group: { readonly name: string; readonly policy: ServerGroupPolicy },
): Promise<ServerGroup>;

/** Returns false where there was no such group. */
export declare function deleteServerGroup(session: Session, id: string): Promise<boolean>;
