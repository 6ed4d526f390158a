import { cleanUpLimits } from '../../shared/cloud/clean-up-limits.ts';
import { openClusterSession } from '../../shared/cloud/cluster-session.ts';
import { deleteServerGroups, serverGroupName } from '../../shared/cloud/server-groups.ts';
import { withClusterLease } from '../../shared/kubernetes/cluster-lease.ts';
import { createClusterRepository } from '../../shared/kubernetes/cluster-repository.ts';
import type { CustomObject } from '../../shared/kubernetes/kubernetes-object.ts';
import { findEntry, parseLiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { clusterNameLabel, clusterUuidLabel, managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { nodegroupLabel } from '../../shared/status/views/machine-owner.ts';
import type { Environment } from './environment.ts';

/** Nodegroups of one cluster that are gone, as it seemed. */
export interface GoneNodegroups {
  /** As it was observed. */
  readonly cluster: CustomObject | null;
  readonly names: readonly string[];
}

/**
 * Deletes the server groups of nodegroups that are gone, and takes them from the record of the cluster. Nobody waits for it:
 * what fails is tried again by the next resync, and at last by the deletion of the cluster.
 */
export async function forgetNodegroups(environment: Environment, gone: GoneNodegroups): Promise<void> {
  if (gone.names.length === 0) return;
  try {
    await forget(environment, gone);
  } catch (error) {
    environment.signal.throwIfAborted();
    environment.log.warn(
      { err: error, stack_id: gone.cluster?.metadata?.name },
      'the server groups of nodegroups could not be deleted',
    );
  }
}

async function forget(environment: Environment, { cluster, names }: GoneNodegroups): Promise<void> {
  const { name: stackId, labels } = cluster?.metadata ?? {};
  const uuid = labels?.[clusterUuidLabel];
  if (stackId === undefined || uuid === undefined) return;
  await withClusterLease(environment, uuid, async (proceed) => {
    const left = await withoutAny(environment, { stackId, names });
    if (left.length > 0) await deleteGroups(environment, { stackId, names: left }, proceed);
  });
}

interface Nodegroups {
  readonly stackId: string;
  readonly names: readonly string[];
}

/** Those of which nothing is there: one may have been created again under its name. */
async function withoutAny(
  { kubernetes, signal }: Environment,
  { stackId, names }: Nodegroups,
): Promise<readonly string[]> {
  const object = await kubernetes.find(resources.cluster, { namespace, name: stackId }, { signal });
  // With its Cluster, all groups go.
  if (object === undefined || object.metadata?.deletionTimestamp !== undefined) return [];
  const labelSelector = `${clusterNameLabel}=${stackId}`;
  const parts = await Promise.all([
    kubernetes.list(resources.machineDeployment, { namespace, labelSelector, signal }),
    kubernetes.list(resources.machine, { namespace, labelSelector, signal }),
  ]);
  const taken = new Set(parts.flat().map(({ metadata }) => metadata?.labels?.[nodegroupLabel]));
  const cluster = parseLiveCluster(object);
  return names.filter((name) => findEntry(cluster, name) === null && !taken.has(name));
}

async function deleteGroups(
  environment: Environment,
  { stackId, names }: Nodegroups,
  proceed: () => void,
): Promise<void> {
  const repository = createClusterRepository(environment.kubernetes);
  const secret = await repository.findCloudConfig(stackId);
  if (secret === null) return;
  const groups = names.map((name) => serverGroupName(stackId, name));
  const session = openClusterSession(secret, environment.onCloudRequest, cleanUpLimits);
  try {
    await deleteServerGroups(session, groups, proceed);
  } finally {
    session.close();
  }
  proceed();
  await repository.forgetServerGroups(secret, groups);
}
