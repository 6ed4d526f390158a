import { deleteApplicationCredential, OpenStackError, type Session } from 'openstack-client-ts';
import { DriverError } from '../contract/errors.ts';
import type { CredentialReference } from '../render/cloud-config.ts';
import { sentence } from '../status/reason/sentence.ts';
import { cleanUpLimits } from './clean-up-limits.ts';
import type { Leftover } from './leftover.ts';
import { openServiceSession, type ServiceCloud } from './service-session.ts';

export interface CredentialRemoval {
  /** The functions' own credential; undefined where there is none. */
  readonly serviceCloud: ServiceCloud | undefined;
  /** Called for each request to the cloud. */
  readonly onRequest: () => void;
  /** Runs before each deletion and may throw to stop all of it. */
  readonly beforeWrite: () => void;
}

/** A credential that is still there, or may be. */
export interface RemainingCredential extends Leftover {
  readonly credential: CredentialReference;
}

/**
 * Deletes application credentials of clusters as the functions' own user: Keystone does not let a restricted credential,
 * which every cluster has, delete one. What is gone already, also with its owner, is as good as deleted.
 *
 * Returns what is left; empty = nothing.
 * @throws what `beforeWrite` throws
 */
export async function removeCredentials(
  credentials: readonly CredentialReference[],
  removal: CredentialRemoval,
): Promise<readonly RemainingCredential[]> {
  if (credentials.length === 0) return [];
  const opened = await openSession(removal);
  if ('refusal' in opened) return credentials.map((credential) => remaining(credential, opened.refusal));
  try {
    return await deleteCredentials(opened.session, credentials, removal.beforeWrite);
  } finally {
    opened.session.close();
  }
}

interface Refusal {
  readonly why: string;
  readonly isFinal: boolean;
}

async function openSession({
  serviceCloud,
  onRequest,
}: CredentialRemoval): Promise<{ readonly session: Session } | { readonly refusal: Refusal }> {
  if (serviceCloud === undefined) {
    return { refusal: { why: 'the functions have no credential of their own', isFinal: true } };
  }
  try {
    return { session: await openServiceSession(serviceCloud, onRequest, cleanUpLimits) };
  } catch (error) {
    // The file is mounted from a Secret that need not exist.
    if (error instanceof DriverError) return { refusal: { why: error.message, isFinal: true } };
    throw error;
  }
}

/** The same in a session that is open already, of somebody who may delete them. */
export async function deleteCredentials(
  session: Session,
  credentials: readonly CredentialReference[],
  beforeWrite: () => void,
): Promise<readonly RemainingCredential[]> {
  const left: RemainingCredential[] = [];
  let outage: Refusal | null = null;
  for (const credential of credentials) {
    // Keystone that did not answer just now would take as long to not answer again.
    const refusal: Refusal | null = outage ?? (await removeOne(session, credential, beforeWrite));
    if (refusal === null) continue;
    if (!refusal.isFinal) outage = refusal;
    left.push(remaining(credential, refusal));
  }
  return left;
}

/** null where it is gone. */
async function removeOne(
  session: Session,
  { id, userId }: CredentialReference,
  beforeWrite: () => void,
): Promise<Refusal | null> {
  if (id === '' || userId === '') return { why: 'its id or its owner is not recorded', isFinal: true };
  beforeWrite();
  try {
    await deleteApplicationCredential(session, id, { userId });
    return null;
  } catch (error) {
    if (error instanceof OpenStackError) return { why: error.message, isFinal: !error.retryable };
    throw error;
  }
}

function remaining(credential: CredentialReference, { why, isFinal }: Refusal): RemainingCredential {
  const name = credential.id === '' ? '' : ` ${credential.id}`;
  return { credential, told: sentence(`Application credential${name} cannot be deleted`, why), isFinal };
}
