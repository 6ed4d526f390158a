import type { KubernetesObject } from '../../shared/kubernetes/kubernetes-object.ts';
import { type LiveCluster, parseLiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { clusterNameLabel, managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { masterNodegroup } from '../../shared/status/master-nodegroup.ts';
import { readClassContent } from './class-content.ts';
import type { DryClient } from './dry-client.ts';
import { type MachineGroup, machineGroups } from './machine-groups.ts';
import type { Overlay } from './overlay.ts';

/** Cluster API's label of the control plane's Machines. */
const controlPlaneLabel = 'cluster.x-k8s.io/control-plane';
/** Cluster API's label with the name of the topology's entry. */
const nodegroupLabel = 'topology.cluster.x-k8s.io/deployment-name';

/** What would become of the machines of a Cluster, from what was written of it. */
export async function readMachineGroups(
  client: DryClient,
  overlay: Overlay,
  stackId: string,
): Promise<readonly MachineGroup[]> {
  if (stackId === '') return [];
  const reference = { namespace, name: stackId };
  const written = overlay.written(resources.cluster, reference);
  const current = await client.find(resources.cluster, reference);
  const [before, after] = [written === undefined ? current : written.before, current].map(clusterOf);
  const classOf = async (cluster: LiveCluster | null | undefined) =>
    cluster ? readClassContent(client, cluster.spec.topology.classRef.name) : null;
  const classes = { before: await classOf(before), after: await classOf(after) };
  return machineGroups({
    before: before ?? null,
    after: after ?? null,
    classes,
    machines: await countOf(client, stackId),
  });
}

function clusterOf(object: KubernetesObject | undefined): LiveCluster | null {
  if (object === undefined) return null;
  const { metadata } = object;
  // A Cluster that would be created has neither yet.
  return parseLiveCluster({ ...object, metadata: { uid: '', resourceVersion: '', ...metadata } });
}

async function countOf(client: DryClient, stackId: string): Promise<ReadonlyMap<string, number>> {
  const machines = await client.list(resources.machine, { namespace, labelSelector: `${clusterNameLabel}=${stackId}` });
  const groups = machines.map(({ metadata }) => {
    const labels = metadata?.labels ?? {};
    return controlPlaneLabel in labels ? masterNodegroup : (labels[nodegroupLabel] ?? '');
  });
  return new Map([...new Set(groups)].map((group) => [group, groups.filter((each) => each === group).length]));
}
