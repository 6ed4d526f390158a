import { deleteApplicationCredential } from 'openstack-client-ts';
import { credentialsOf } from '../../shared/cloud/application-credential.ts';
import { answerOf } from '../../shared/cloud/cloud-answer.ts';
import type { DeletionEnvironment } from '../../shared/deletion/deletion.ts';
import { type DeletionCloud, openServiceCloud } from '../../shared/deletion/deletion-cloud.ts';
import { removeServerGroups } from '../../shared/deletion/remove-server-groups.ts';
import { stackId } from '../../shared/magnum/stack-id.ts';
import { sentence } from '../../shared/status/reason/sentence.ts';
import type { DeleteEvent } from './mark-deletion.ts';

/** As many names as a create tries. */
const attempts = 10;

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
    const name = await freeName(environment, uuid);
    const groups = name === null ? [] : await removeServerGroups(cloud, { stackId: name, proceed });
    return [...groups.map(({ told }) => told), ...(await removeCredentials(cloud, { uuid, userId, proceed }))];
  } finally {
    cloud.session.close();
  }
}

/** The first that is nobody's, as the create has found it; null where all are taken by now. */
async function freeName({ repository }: DeletionEnvironment, uuid: string): Promise<string | null> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const name = stackId(uuid, attempt);
    if ((await repository.ownerOf(name)) === null) return name;
  }
  return null;
}

interface Owner {
  readonly uuid: string;
  readonly userId: string;
  readonly proceed: () => void;
}

async function removeCredentials(
  { session }: DeletionCloud,
  { uuid, userId, proceed }: Owner,
): Promise<readonly string[]> {
  const { error } = await answerOf(async () => {
    for (const { id } of await credentialsOf(session, uuid, userId)) {
      proceed();
      await deleteApplicationCredential(session, id, { userId });
    }
  });
  return error === undefined
    ? []
    : [sentence('Application credentials of the cluster cannot be deleted', error.message)];
}
