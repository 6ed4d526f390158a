import { askCloud, collectFaults } from '../../shared/cloud/cloud-faults.ts';
import { nodegroupNeeds, resolveNodeFacts } from '../../shared/cloud/node-facts.ts';
import { deleteServerGroups, ensureServerGroups, serverGroupName } from '../../shared/cloud/server-groups.ts';
import { RejectedError } from '../../shared/contract/errors.ts';
import type { EventData } from '../../shared/contract/event-types.ts';
import { acceptedReply, checkSubject } from '../../shared/contract/operation-replies.ts';
import type { CloudEventIn, CloudEventOut } from '../../shared/host/cloud-event.ts';
import { writeAutoscalerOptions } from '../../shared/kubernetes/autoscaler.ts';
import { withClusterLease } from '../../shared/kubernetes/cluster-lease.ts';
import { installAutoscaler } from '../../shared/kubernetes/install-autoscaler.ts';
import { findEntry, type LiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import { openRecord } from '../../shared/kubernetes/operation-record.ts';
import { addMachineDeployment, writeRecord } from '../../shared/kubernetes/topology-patch.ts';
import type { NodegroupIntent } from '../../shared/magnum/cluster-intent.ts';
import { toNodegroupIntent } from '../../shared/magnum/to-nodegroup-intent.ts';
import { changeCluster } from '../../shared/operation/change-cluster.ts';
import { clusterSession } from '../../shared/operation/cluster-session.ts';
import type { HeldOperation } from '../../shared/operation/held-operation.ts';
import { liveTarget } from '../../shared/operation/live-target.ts';
import { requireIntent } from '../../shared/operation/require-intent.ts';
import { requireVariables } from '../../shared/operation/require-variables.ts';
import { type MachineDeploymentTopology, machineDeploymentTopology } from '../../shared/render/machine-deployment.ts';
import type { nodegroupCreateType } from './accepted-events.ts';
import type { Environment } from './environment.ts';

type CreateEvent = CloudEventIn<typeof nodegroupCreateType, EventData<typeof nodegroupCreateType>>;

/** Minutes (design §4). */
const timeout = 60;

interface Creation extends HeldOperation<CreateEvent, Environment> {
  readonly intent: NodegroupIntent;
}

/**
 * Adds a nodegroup to the topology of a live Cluster, whichever driver made it.
 * @throws RejectedError, BusyError, DependencyError
 */
export async function createNodegroup(environment: Environment, event: CreateEvent): Promise<CloudEventOut> {
  checkSubject(event);
  const { uuid } = event.data.cluster;
  const { intent, notes } = requireIntent(toNodegroupIntent(event.data, event.data.nodegroup));
  return withClusterLease(environment, uuid, async (proceed) => {
    const creation = { environment, event, intent, proceed };
    const found = await liveCluster(creation);
    const cluster = findEntry(found, intent.name) === null ? await addNodegroup(creation, found) : found;
    creation.proceed();
    const remarks = [...notes, ...(await installAutoscaler(environment.kubernetes, cluster))];
    const stackId = cluster.metadata.name;
    return acceptedReply({ cluster_uuid: uuid, stack_id: stackId, nodegroup: intent.name, notes: remarks });
  });
}

function liveCluster({ environment, event, intent }: Creation): Promise<LiveCluster> {
  return liveTarget(environment.repository, { event, nodegroup: intent.name });
}

/** Acts as the cluster: the request's own token is not needed for anything that a nodegroup has. */
async function addNodegroup(creation: Creation, cluster: LiveCluster): Promise<LiveCluster> {
  const { environment, intent, proceed } = creation;
  const stackId = cluster.metadata.name;
  const { session, secret } = await clusterSession(environment, stackId);
  try {
    const faults = collectFaults();
    const facts = await resolveNodeFacts(session, [nodegroupNeeds(intent)], faults);
    faults.throwIfAny();
    const context = { facts, clusterVariables: cluster.spec.topology.variables };
    const name = serverGroupName(stackId, intent.name);
    const wanted = machineDeploymentTopology(intent, { ...context, serverGroupId: '' });
    await requireVariables(environment.repository, cluster, wanted);
    const group = { name, policy: intent.serverGroup.policy };
    const ids = await askCloud(() => ensureServerGroups(session, [group], proceed));
    const serverGroupId = ids.get(name) ?? '';
    proceed();
    await environment.repository.recordServerGroup(secret, { name, id: serverGroupId });
    const entry = machineDeploymentTopology(intent, { ...context, serverGroupId });
    return await addOrDiscard(creation, { cluster, entry }, () => deleteServerGroups(session, [name], proceed));
  } finally {
    session.close();
  }
}

interface Addition {
  readonly cluster: LiveCluster;
  readonly entry: MachineDeploymentTopology;
}

async function addOrDiscard(
  creation: Creation,
  { cluster, entry }: Addition,
  discard: () => Promise<void>,
): Promise<LiveCluster> {
  const { environment, proceed } = creation;
  const change = {
    repository: environment.repository,
    proceed,
    reload: () => liveCluster(creation),
    plan: (current: LiveCluster) => additions(creation, current, entry),
  };
  try {
    return await changeCluster(change, cluster);
  } catch (error) {
    if (error instanceof RejectedError) await askCloud(discard);
    throw error;
  }
}

function additions({ event, intent }: Creation, cluster: LiveCluster, entry: MachineDeploymentTopology) {
  if (findEntry(cluster, entry.name) !== null) return [];
  const { auto_scaling } = event.data.options;
  return [
    addMachineDeployment(cluster, entry),
    writeRecord(cluster, entry.name, openRecord(event, 'nodegroup.create', timeout)),
    ...(intent.size.kind === 'autoscaled' ? writeAutoscalerOptions(cluster, auto_scaling) : []),
  ];
}
