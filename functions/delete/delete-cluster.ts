import { acceptedReply, checkSubject } from '../../shared/contract/operation-replies.ts';
import type { Deletion, DeletionEnvironment } from '../../shared/deletion/deletion.ts';
import { finishDeletion } from '../../shared/deletion/finish-deletion.ts';
import { takeDown } from '../../shared/deletion/take-down.ts';
import type { CloudEventOut } from '../../shared/host/cloud-event.ts';
import { withClusterLease } from '../../shared/kubernetes/cluster-lease.ts';
import { isSuperseded, readRecord } from '../../shared/kubernetes/operation-record.ts';
import { rejection } from '../../shared/operation/rejection.ts';
import { type Claim, findClaims } from './find-claims.ts';
import { type DeleteEvent, markDeletion } from './mark-deletion.ts';
import { removeOrphans } from './remove-orphans.ts';

/** Seconds for which load balancers are waited for at most: an event is answered within 110 s, and there is more to do. */
const longestWait = 60;

/**
 * Deletes a cluster, however much of it there is: of the request it reads no more than the UUID, the owner and one option. It
 * takes down what stands; the end comes when the Cluster is gone, here where it is, else in the status function.
 * @throws RejectedError where a newer operation was accepted; BusyError, DependencyError
 */
export async function deleteCluster(environment: DeletionEnvironment, event: DeleteEvent): Promise<CloudEventOut> {
  checkSubject(event);
  const { uuid, stack_id: known } = event.data.cluster;
  return withClusterLease(environment, uuid, async (proceed) => {
    const claims = await findClaims(environment, uuid);
    checkOrder(event, claims);
    const waitMs = waitOf(event) / Math.max(claims.length, 1);
    const notes = claims.length === 0 ? [...(await removeOrphans(environment, event, proceed))] : [];
    for (const claim of claims) {
      const marked = await markDeletion({ environment, uuid, ...claim, proceed }, event);
      notes.push(...(await remove(marked, waitMs)));
    }
    const claimed = claims.find(({ stackId }) => stackId === known) ?? claims[0];
    return acceptedReply({ cluster_uuid: uuid, stack_id: claimed?.stackId ?? '', nodegroup: null, notes });
  });
}

/** A deletion that was held up must not take away what was asked for since. */
function checkOrder(event: DeleteEvent, claims: readonly Claim[]): void {
  const records = claims.map(({ cluster }) => readRecord(cluster?.metadata?.annotations, null));
  const isOlder = records.some((record) => record?.type !== 'cluster.delete' && isSuperseded(event, record));
  if (isOlder) throw rejection('superseded', 'A newer operation on the cluster was accepted.');
}

function waitOf({ data }: DeleteEvent): number {
  return Math.min(data.options.cluster.pre_delete_lb_timeout, longestWait) * 1000;
}

/** What is left, one sentence each. */
async function remove(deletion: Deletion, waitMs: number): Promise<readonly string[]> {
  if (deletion.cluster === null) return (await finishDeletion(deletion)).remaining;
  return (await takeDown(deletion, waitMs)).map(({ told }) => told);
}
