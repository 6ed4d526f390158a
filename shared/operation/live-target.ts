import type { ClusterRepository } from '../kubernetes/cluster-repository.ts';
import type { LiveCluster } from '../kubernetes/live-cluster.ts';
import { isSuperseded, readRecord } from '../kubernetes/operation-record.ts';
import { rejection } from './rejection.ts';

/** What an event is about. */
export interface Target {
  readonly event: {
    readonly id: string;
    readonly time: string;
    readonly data: { readonly cluster: { readonly uuid: string; readonly stack_id?: string | null | undefined } };
  };
  /** null = the cluster itself. */
  readonly nodegroup: string | null;
}

/**
 * The Cluster that an operation is to change.
 * @throws RejectedError where there is none, it is being deleted, or a newer operation on the target was accepted
 */
export async function liveTarget(repository: ClusterRepository, { event, nodegroup }: Target): Promise<LiveCluster> {
  const { uuid, stack_id } = event.data.cluster;
  const cluster = await repository.findCluster(uuid, stack_id || null);
  if (cluster === null) throw rejection('not_found', 'The cluster has no Cluster object in the management cluster.');
  if (isBeingDeleted(cluster)) throw rejection('superseded', 'The cluster is being deleted.');
  if (!isSuperseded(event, readRecord(cluster.metadata.annotations, nodegroup))) return cluster;
  const subject = nodegroup === null ? 'the cluster' : `nodegroup ${nodegroup}`;
  throw rejection('superseded', `A newer operation on ${subject} was accepted.`);
}

/** Whether somebody asked to delete the cluster, or deleted the Cluster itself. */
export function isBeingDeleted({ metadata }: LiveCluster): boolean {
  return metadata.deletionTimestamp !== undefined || readRecord(metadata.annotations, null)?.type === 'cluster.delete';
}

/** Whether this very event was carried out before: then there is nothing to do but to answer. */
export function isRepeated({ event, nodegroup }: Target, cluster: LiveCluster): boolean {
  return readRecord(cluster.metadata.annotations, nodegroup)?.id === event.id;
}
