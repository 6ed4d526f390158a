import { randomUUID } from 'node:crypto';
import type { KubernetesClient } from '../../shared/kubernetes/client.ts';
import { isConflict } from '../../shared/kubernetes/errors.ts';
import type { JsonPatchOperation } from '../../shared/kubernetes/kubernetes-object.ts';
import { parseLiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import { openRecord } from '../../shared/kubernetes/operation-record.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { writeRecord } from '../../shared/kubernetes/topology-patch.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { waitFor } from '../env/wait-for.ts';

export interface RecordedOperation {
  /** As in its record, e.g. `cluster.upgrade`. */
  readonly type: string;
  /** null = the cluster. @default null */
  readonly nodegroup?: string | null;
  /** Until its deadline. @default 60 */
  readonly minutes?: number;
  readonly changes: readonly JsonPatchOperation[];
}

/** Changes a Cluster as the functions do: one patch with the operation's record, based on the version that was read. */
export async function applyOperation(
  kubernetes: KubernetesClient,
  stackId: string,
  { type, nodegroup = null, minutes = 60, changes }: RecordedOperation,
): Promise<void> {
  const reference = { namespace, name: stackId };
  const record = openRecord({ id: randomUUID(), time: new Date().toISOString() }, type, minutes);
  const attempt = async () => {
    const cluster = parseLiveCluster(await kubernetes.get(resources.cluster, reference));
    const operations = [...changes, writeRecord(cluster, nodegroup, record)];
    await kubernetes.patch(resources.cluster, reference, {
      operations,
      resourceVersion: cluster.metadata.resourceVersion,
    });
  };
  // Cluster API's webhook refuses for a moment what it cannot judge yet.
  await waitFor(attempt, { what: `the patch of ${stackId}`, timeout: 30_000 }).catch((error: unknown) => {
    throw isConflict(error) ? new Error(`${stackId} changes all the time`, { cause: error }) : error;
  });
}
