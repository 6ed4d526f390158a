import { answerOf, mayPass } from '../cloud/cloud-answer.ts';
import { removeCredentials } from '../cloud/credential-removal.ts';
import type { Leftover } from '../cloud/leftover.ts';
import { removeServiceLoadBalancers } from '../cloud/service-load-balancers.ts';
import { systemClock } from '../kubernetes/clock.ts';
import { readCloudConfigRecord } from '../render/cloud-config.ts';
import { sentence } from '../status/reason/sentence.ts';
import type { Deletion } from './deletion.ts';
import { type DeletionCloud, inCloudOf } from './deletion-cloud.ts';
import { removeServerGroups } from './remove-server-groups.ts';

/** Enough for a load balancer without members, which is all that is left of one when its cluster is gone. */
const lastWaitMs = 3_000;

/**
 * Deletes the load balancers that the cluster's Services have in the cloud, and waits for their end.
 * @param waitMs how long to wait for it, in ms
 */
export function cleanUpLoadBalancers(deletion: Deletion, waitMs: number): Promise<readonly Leftover[]> {
  return inCloudOf(deletion, (cloud) => loadBalancers(deletion, cloud, waitMs));
}

/**
 * Deletes what a cluster without a Cluster has in the cloud: load balancers, server groups, and, when it is not needed any
 * more, its credentials. Returns what is left.
 */
export async function cleanUpCloud(deletion: Deletion): Promise<readonly Leftover[]> {
  const left = await inCloudOf(deletion, async (cloud) => [
    ...(await loadBalancers(deletion, cloud, lastWaitMs)),
    ...(await removeServerGroups(cloud, deletion)),
  ]);
  // Whoever tries again does so with the cluster's credential.
  if (left.some(({ isFinal }) => !isFinal)) return left;
  return [...left, ...(await credentials(deletion))];
}

async function loadBalancers(
  { environment, uuid, proceed }: Deletion,
  { session, projectId }: DeletionCloud,
  waitMs: number,
): Promise<readonly Leftover[]> {
  const cleanup = { uuid, waitMs, beforeWrite: proceed, clock: systemClock, signal: environment.signal };
  const ofProject = projectId === null ? {} : { projectId };
  const { value, error } = await answerOf(() => removeServiceLoadBalancers(session, { ...cleanup, ...ofProject }));
  if (error === undefined) return value;
  const told = sentence('Load balancers of the cluster could not be looked for', error.message);
  return [{ told, isFinal: !mayPass(error) }];
}

function credentials({ environment, secret, proceed }: Deletion): Promise<readonly Leftover[]> {
  const record = readCloudConfigRecord(secret);
  const { serviceCloud, onCloudRequest } = environment;
  const own = record === null ? [] : [{ id: record.applicationCredentialId, userId: record.userId }];
  const all = [...own, ...(record?.replacedCredentials ?? [])];
  return removeCredentials(all, { serviceCloud, onRequest: onCloudRequest, beforeWrite: proceed });
}
