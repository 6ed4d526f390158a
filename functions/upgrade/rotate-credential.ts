import { acceptedReply, checkSubject } from '../../shared/contract/operation-replies.ts';
import type { CloudEventOut } from '../../shared/host/cloud-event.ts';
import { withClusterLease } from '../../shared/kubernetes/cluster-lease.ts';
import type { LiveSecret } from '../../shared/kubernetes/cluster-repository.ts';
import type { LiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import { openRecord } from '../../shared/kubernetes/operation-record.ts';
import { writeRecord } from '../../shared/kubernetes/topology-patch.ts';
import { changeCluster } from '../../shared/operation/change-cluster.ts';
import { isRepeated, liveTarget } from '../../shared/operation/live-target.ts';
import type { OperationEnvironment } from '../../shared/operation/operation-environment.ts';
import { readCloudConfigRecord } from '../../shared/render/cloud-config.ts';
import { moveAddons } from './move-addons.ts';
import { replaceCredential } from './replace-credential.ts';
import type { RotateEvent, Rotation } from './rotation.ts';

const operation = 'cluster.credential.rotate';
/** Minutes (design §4). */
const timeout = 60;

/**
 * Gives a cluster an application credential of the requesting user in place of the one it has. The names of all objects stay,
 * so no machine is rebuilt. What was replaced is deleted by the status function, once nothing uses it any more.
 * @throws RejectedError, BusyError, DependencyError
 */
export async function rotateCredential(environment: OperationEnvironment, event: RotateEvent): Promise<CloudEventOut> {
  checkSubject(event);
  const { uuid } = event.data.cluster;
  return withClusterLease(environment, uuid, async (proceed) => {
    const rotation = { environment, event, proceed };
    const cluster = await liveCluster(rotation);
    const stackId = cluster.metadata.name;
    const secret = isRepeated({ event, nodegroup: null }, cluster)
      ? await environment.repository.findCloudConfig(stackId)
      : await rotate(rotation, cluster);
    const notes = notesOf(environment, secret);
    return acceptedReply({ cluster_uuid: uuid, stack_id: stackId, nodegroup: null, notes });
  });
}

function liveCluster({ environment, event }: Omit<Rotation, 'proceed'>): Promise<LiveCluster> {
  return liveTarget(environment.repository, { event, nodegroup: null });
}

/** The record comes last: where it is there, everything else is. */
async function rotate(rotation: Rotation, cluster: LiveCluster): Promise<LiveSecret> {
  const { environment, event, proceed } = rotation;
  const secret = await replaceCredential(rotation, cluster);
  await moveAddons(rotation, { stackId: cluster.metadata.name, secret });
  const record = openRecord(event, operation, timeout);
  const { repository } = environment;
  const plan = (live: LiveCluster) => [writeRecord(live, null, record)];
  await changeCluster({ repository, proceed, reload: () => liveCluster(rotation), plan }, cluster);
  return secret;
}

function notesOf({ serviceCloud }: OperationEnvironment, secret: unknown): string[] {
  if (serviceCloud !== undefined) return [];
  const replaced = readCloudConfigRecord(secret)?.replacedCredentials ?? [];
  return replaced.map(
    ({ id, userId }) =>
      `The functions have no credential of their own, so the replaced application credential ${id} of user ${userId} stays.`,
  );
}
