import { credentialsOf } from '../../shared/cloud/application-credential.ts';
import { answerOf, mayPass } from '../../shared/cloud/cloud-answer.ts';
import { deleteCredentials } from '../../shared/cloud/credential-removal.ts';
import type { Leftover } from '../../shared/cloud/leftover.ts';
import type { DeletionEnvironment } from '../../shared/deletion/deletion.ts';
import { type DeletionCloud, openServiceCloud } from '../../shared/deletion/deletion-cloud.ts';
import { removeServerGroups } from '../../shared/deletion/remove-server-groups.ts';
import { derivedStackId } from '../../shared/operation/derived-stack-id.ts';
import { sentence } from '../../shared/status/reason/sentence.ts';
import type { DeleteEvent } from './mark-deletion.ts';

/**
 * Deletes what a create has left in the cloud that died before it wrote anything down: server groups under the name that it
 * would have taken, and credentials. Only the functions' own user can; without it nobody knows of them.
 * Returns what is left, one sentence each.
 */
export async function removeOrphans(
  environment: DeletionEnvironment,
  { data: { cluster } }: DeleteEvent,
  proceed: () => void,
): Promise<readonly string[]> {
  const { uuid, project_id: projectId, user_id: userId } = cluster;
  if (environment.serviceCloud === undefined || !projectId || !userId) return [];
  const cloud = await openServiceCloud(environment, projectId);
  if (!('session' in cloud)) return [sentence('What a create may have left could not be looked for', cloud.why)];
  try {
    const name = await derivedStackId(environment.repository, uuid);
    const groups = name === null ? [] : await removeServerGroups(cloud, { stackId: name.stackId, proceed });
    const left = [...groups, ...(await removeOwnCredentials(cloud, { uuid, userId, proceed }))];
    return left.map(({ told }) => told);
  } finally {
    cloud.session.close();
  }
}

interface Owner {
  readonly uuid: string;
  readonly userId: string;
  readonly proceed: () => void;
}

async function removeOwnCredentials(
  { session }: DeletionCloud,
  { uuid, userId, proceed }: Owner,
): Promise<readonly Leftover[]> {
  const { value, error } = await answerOf(() => credentialsOf(session, uuid, userId));
  if (error === undefined) {
    return deleteCredentials(
      session,
      value.map(({ id }) => ({ id, userId })),
      proceed,
    );
  }
  const told = sentence('Application credentials of the cluster could not be looked for', error.message);
  return [{ told, isFinal: !mayPass(error) }];
}
