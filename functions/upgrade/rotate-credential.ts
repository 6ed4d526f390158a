import { acceptedReply, checkSubject } from '../../shared/contract/operation-replies.ts';
import type { CloudEventOut } from '../../shared/host/cloud-event.ts';
import { clusterLease, withLease } from '../../shared/kubernetes/lease.ts';
import { openRecord } from '../../shared/kubernetes/operation-record.ts';
import { proceedWhile } from '../../shared/kubernetes/proceed-while.ts';
import { writeRecord } from '../../shared/kubernetes/topology-patch.ts';
import { changeCluster } from '../../shared/operation/change-cluster.ts';
import { isRepeated, liveTarget } from '../../shared/operation/live-target.ts';
import type { OperationEnvironment } from '../../shared/operation/operation-environment.ts';
import { readCloudConfigRecord } from '../../shared/render/cloud-config.ts';
import { moveAddons } from './move-addons.ts';
import { replaceCredential } from './replace-credential.ts';
import type { RotateEvent } from './rotation.ts';

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
  const target = { event, nodegroup: null };
  return withLease(environment.kubernetes, clusterLease(uuid, environment), async (lease) => {
    const proceed = proceedWhile(lease, environment.signal);
    const reload = () => liveTarget(environment.repository, target);
    const cluster = await reload();
    const stackId = cluster.metadata.name;
    const reply = { cluster_uuid: uuid, stack_id: stackId, nodegroup: null };
    if (isRepeated(target, cluster)) return acceptedReply(reply);
    const rotation = { environment, event, proceed };
    const secret = await replaceCredential(rotation, cluster);
    await moveAddons(rotation, { stackId, secret });
    const record = openRecord(event, operation, timeout);
    const { repository } = environment;
    await changeCluster({ repository, proceed, reload, plan: (live) => [writeRecord(live, null, record)] }, cluster);
    return acceptedReply({ ...reply, notes: notesOf(environment, secret) });
  });
}

function notesOf({ serviceCloud }: OperationEnvironment, secret: unknown): string[] {
  if (serviceCloud !== undefined) return [];
  const replaced = readCloudConfigRecord(secret)?.replacedCredentials ?? [];
  return replaced.map(
    ({ id, userId }) =>
      `The functions have no credential of their own, so the replaced application credential ${id} of user ${userId} stays.`,
  );
}
