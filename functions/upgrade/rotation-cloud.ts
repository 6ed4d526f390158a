import { getKeypair, NotFoundError, type Session } from 'openstack-client-ts';
import {
  type CredentialScope,
  createClusterCredential,
  deleteUnfinishedCredentials,
  ownClusterCredentials,
} from '../../shared/cloud/application-credential.ts';
import { type CloudAccess, clusterAccess } from '../../shared/cloud/cloud-access.ts';
import { askCloud } from '../../shared/cloud/cloud-faults.ts';
import { checkToken } from '../../shared/cloud/request-token.ts';
import { findServerGroups } from '../../shared/cloud/server-groups.ts';
import { openTokenSession } from '../../shared/cloud/token-session.ts';
import { rejection } from '../../shared/operation/rejection.ts';
import type { CloudCredential } from '../../shared/render/cloud-facts.ts';

/** What a rotation does in the cloud, as the user who asks for it. */
export interface RotationCloud {
  /** Reads only. @throws RejectedError where this user cannot take the cluster over */
  inspect(cluster: { readonly projectId: string; readonly keypair: string }): Promise<RotationPlan>;
  /** Ids of all credentials that the user has for the cluster. */
  ownCredentials(uuid: string): Promise<readonly string[]>;
  serverGroups(names: readonly string[]): Promise<Readonly<Record<string, string>>>;
  /** Replaces what earlier attempts left by a new credential. @throws RejectedError */
  createCredential(owner: CredentialScope & { readonly eventId: string }): Promise<ApplicationCredential>;
  /** Removes what this or an earlier attempt made. */
  discard(scope: CredentialScope): Promise<void>;
  close(): void;
}

type ApplicationCredential = Pick<CloudCredential, 'applicationCredentialId' | 'applicationCredentialSecret'>;

export interface RotationPlan {
  /** Who will own the credential. */
  readonly userId: string;
  /** How CAPO will reach the cloud. */
  readonly access: Omit<CloudCredential, keyof ApplicationCredential>;
}

interface RotationCloudOptions {
  readonly access: CloudAccess;
  /** The requesting user's. */
  readonly token: string;
  readonly onRequest: () => void;
  /** Runs before each write and may throw to stop it. */
  readonly beforeWrite: () => void;
}

export function openRotationCloud({ access, token, onRequest, beforeWrite }: RotationCloudOptions): RotationCloud {
  const session = openTokenSession({ access, token, onRequest });
  return {
    async inspect({ projectId, keypair }) {
      const authentication = await askCloud(() => session.authentication());
      checkToken(authentication, projectId);
      await checkKeypair(session, keypair);
      const forCluster = await clusterAccess(session, authentication.catalog, access);
      return { userId: authentication.user.id, access: forCluster };
    },

    ownCredentials: (uuid) => askCloud(() => ownClusterCredentials(session, uuid)),
    serverGroups: (names) => askCloud(() => findServerGroups(session, names)),

    async createCredential(owner) {
      const { id, secret } = await askCloud(() => createClusterCredential(session, owner, beforeWrite));
      return { applicationCredentialId: id, applicationCredentialSecret: secret };
    },

    discard: (scope) => askCloud(() => deleteUnfinishedCredentials(session, scope, beforeWrite)),
    close: () => session.close(),
  };
}

/** Nova's keypairs belong to users, and the machines that come will be created as the credential's user. */
async function checkKeypair(session: Session, name: string): Promise<void> {
  if (name === '') return;
  try {
    await getKeypair(session, name);
  } catch (error) {
    if (!(error instanceof NotFoundError)) return askCloud(() => Promise.reject(error));
    const message = `Field cluster.keypair: the user who asks has no keypair ${name}, with which the cluster's machines are created.`;
    const hint = `Create a keypair named ${name} from the same public key, or rotate as a user who has it.`;
    throw rejection('not_found', message, { field: 'cluster.keypair', hint });
  }
}
