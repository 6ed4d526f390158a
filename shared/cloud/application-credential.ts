import { createHash } from 'node:crypto';
import {
  type ApplicationCredential,
  createApplicationCredential,
  deleteApplicationCredential,
  listApplicationCredentials,
  type Session,
} from 'openstack-client-ts';

/** The cluster that credentials are made for. */
export interface CredentialScope {
  readonly uuid: string;
  /** Ids of credentials that are in use, or were, and so are none of an attempt that did not finish. @default none */
  readonly kept?: readonly string[];
}

/** Tells the credentials of different attempts apart: Keystone shows a secret once, and names are unique per user. */
function credentialName(uuid: string, eventId: string): string {
  return `${uuid}-${createHash('sha256').update(eventId).digest('hex').slice(0, 8)}`;
}

/** The credentials that this driver made for a cluster, of the session's user unless told otherwise. */
export async function credentialsOf(
  session: Session,
  uuid: string,
  userId?: string,
): Promise<readonly ApplicationCredential[]> {
  const all = await listApplicationCredentials(session, userId === undefined ? {} : { userId });
  return all.filter(({ name }) => name.startsWith(`${uuid}-`));
}

/**
 * Deletes what earlier attempts left; the original driver's credential, named by the bare UUID, is none of them.
 * `beforeWrite` runs after the list was read and may throw: a process that slept meanwhile must not delete the credential
 * of the one that took over.
 */
export async function deleteUnfinishedCredentials(
  session: Session,
  { uuid, kept = [] }: CredentialScope,
  beforeWrite: () => void,
): Promise<void> {
  for (const { id } of await credentialsOf(session, uuid)) {
    if (kept.includes(id)) continue;
    beforeWrite();
    await deleteApplicationCredential(session, id);
  }
}

/**
 * Makes the cluster's credential as the session's user, with all the roles that the user has on the project.
 * @throws OpenStackError, and what `beforeWrite` throws
 */
export async function createClusterCredential(
  session: Session,
  owner: CredentialScope & { readonly eventId: string },
  beforeWrite: () => void,
): Promise<{ readonly id: string; readonly secret: string }> {
  await deleteUnfinishedCredentials(session, owner, beforeWrite);
  beforeWrite();
  return createApplicationCredential(session, {
    name: credentialName(owner.uuid, owner.eventId),
    description: `Magnum cluster (${owner.uuid})`,
  });
}

/**
 * Ids of all credentials of a cluster that the session's user has, the original driver's too. Where the record of the cluster
 * is lost, its workload may still be using any of them.
 */
export async function ownClusterCredentials(session: Session, uuid: string): Promise<readonly string[]> {
  const credentials = await listApplicationCredentials(session);
  return credentials.flatMap(({ id, name }) => (name === uuid || name.startsWith(`${uuid}-`) ? [id] : []));
}
