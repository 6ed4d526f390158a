import { deleteServerGroup, listServerGroups } from 'openstack-client-ts';
import { answerOf, mayPass } from '../cloud/cloud-answer.ts';
import type { Leftover } from '../cloud/leftover.ts';
import { serverGroupName } from '../cloud/server-groups.ts';
import { sentence } from '../status/reason/sentence.ts';
import type { Deletion } from './deletion.ts';
import type { DeletionCloud } from './deletion-cloud.ts';

/**
 * Deletes the server groups that have a cluster's name or that of one of its nodegroups: a create that was killed has not
 * recorded them all. Returns what is left.
 */
export async function removeServerGroups(
  { session, projectId }: DeletionCloud,
  { stackId, proceed }: Pick<Deletion, 'stackId' | 'proceed'>,
): Promise<readonly Leftover[]> {
  const { value, error } = await answerOf(() => listServerGroups(session, { allProjects: projectId !== null }));
  if (error !== undefined) {
    const told = sentence('Server groups of the cluster could not be looked for', error.message);
    return [{ told, isFinal: !mayPass(error) }];
  }
  const prefix = serverGroupName(stackId, '');
  const own = value.filter((group) => {
    const isNamedSo = group.name === serverGroupName(stackId, null) || group.name.startsWith(prefix);
    return isNamedSo && (projectId === null || group.projectId === projectId);
  });
  const left: Leftover[] = [];
  for (const { id, name } of own) {
    proceed();
    const { error: refusal } = await answerOf(() => deleteServerGroup(session, id));
    if (refusal === undefined) continue;
    left.push({
      told: sentence(`Server group ${name} cannot be deleted`, refusal.message),
      isFinal: !mayPass(refusal),
    });
  }
  return left;
}
