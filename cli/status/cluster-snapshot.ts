import type { KubernetesClient } from '../../shared/kubernetes/client.ts';
import { observeCluster } from '../../shared/kubernetes/cluster-observation.ts';
import { KubernetesError, UnavailableError } from '../../shared/kubernetes/errors.ts';
import type { OperationRecord } from '../../shared/kubernetes/operation-record.ts';
import { clusterTitleAnnotation, clusterUuidLabel } from '../../shared/render/metadata.ts';
import { deriveStatus } from '../../shared/status/derive-status.ts';
import type { Observed } from '../../shared/status/observed.ts';
import { newestOperation, readOperations } from '../../shared/status/operations.ts';
import type { StatusReport } from '../../shared/status/progress.ts';
import { readCluster } from '../../shared/status/views/cluster-view.ts';
import { isConditionTrue } from '../../shared/status/views/condition.ts';
import { textAt } from '../../shared/status/views/json-part.ts';
import { readMachineDeployment } from '../../shared/status/views/machine-owner.ts';
import { readMachine } from '../../shared/status/views/machine-view.ts';
import { readClusterObjects } from './cluster-objects.ts';
import { statusTree, type TreeNode } from './status-tree.ts';

/** An operation as it is recorded. */
export interface ShownOperation {
  /** null = the cluster's own. */
  readonly nodegroup: string | null;
  readonly record: OperationRecord;
}

/** What is known of one cluster at one moment. */
export interface ClusterSnapshot {
  readonly stackId: string;
  readonly uuid: string | null;
  /** In Magnum. */
  readonly name: string | null;
  /** By the rules of the status function; null where nothing can be said. */
  readonly report: StatusReport | null;
  readonly operations: readonly ShownOperation[];
  /** RFC 3339, of the newest operation or else of the Cluster; null where neither is known. */
  readonly since: string | null;
  readonly nodes: { readonly ready: number; readonly desired: number };
  /** null where it was not asked for, or there is no Cluster. */
  readonly tree: TreeNode | null;
  /** What could not be read, one sentence each. */
  readonly problems: readonly string[];
}

interface Looking {
  readonly withTree: boolean;
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

/** Nova is not asked: who looks may not reach the cloud. */
const noServerFaults = { read: async () => ({}) };

/** Looks at a cluster as the status function does; what may not be read is missing. @throws UnavailableError */
export async function readSnapshot(
  client: KubernetesClient,
  stackId: string,
  { withTree, now, signal }: Looking,
): Promise<ClusterSnapshot> {
  const begun = now();
  const [observed, read] = await Promise.all([
    observe(client, stackId, { now, signal }),
    withTree ? readClusterObjects(client, stackId, signal) : null,
  ]);
  const problems = [...('problem' in observed ? [observed.problem] : []), ...(read?.problems ?? [])];
  const seen = 'problem' in observed ? nothing(stackId, read?.objects.cluster ?? null) : observed;
  return {
    ...facts(seen),
    report: 'problem' in observed ? null : (deriveStatus(seen, { now: begun, magnum: null })?.report ?? null),
    tree: read === null ? null : statusTree(read.objects),
    problems: [...new Set(problems)],
  };
}

async function observe(
  client: KubernetesClient,
  stackId: string,
  { now, signal }: Pick<Looking, 'now' | 'signal'>,
): Promise<Observed | { readonly problem: string }> {
  try {
    return await observeCluster(client, stackId, { signal, now, serverFaults: noServerFaults });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof KubernetesError) || error instanceof UnavailableError) throw error;
    return { problem: `The status cannot be derived: ${error.message}` };
  }
}

function nothing(stackId: string, cluster: Observed['cluster']): Observed {
  return { stackId, cluster, machineDeployments: [], machines: [] };
}

function facts(observed: Observed): Omit<ClusterSnapshot, 'report' | 'tree' | 'problems'> {
  const { stackId, cluster, cloudConfig, machineDeployments, machines } = observed;
  const view = readCluster(cluster);
  const records = readOperations(view?.annotations ?? {});
  const deletion = cloudConfig?.deleteRequested ?? null;
  const own = view === null ? deletion : records.cluster;
  const operations = [
    ...(own === null ? [] : [{ nodegroup: null, record: own }]),
    ...[...records.nodegroups].map(([nodegroup, record]) => ({ nodegroup, record })),
  ];
  const workers = machineDeployments.map(readMachineDeployment).map(({ wanted }) => wanted ?? 0);
  const newest = newestOperation({ cluster: own, nodegroups: records.nodegroups });
  return {
    stackId,
    uuid: textAt(cluster, 'metadata', 'labels', clusterUuidLabel) ?? cloudConfig?.uuid ?? null,
    name: textAt(cluster, 'metadata', 'annotations', clusterTitleAnnotation),
    operations,
    since: newest?.started ?? textAt(cluster, 'metadata', 'creationTimestamp'),
    nodes: {
      ready: machines.map(readMachine).filter(({ conditions }) => isConditionTrue(conditions, 'Ready')).length,
      desired: workers.reduce((sum, count) => sum + count, view?.controlPlaneReplicas ?? 0),
    },
  };
}
