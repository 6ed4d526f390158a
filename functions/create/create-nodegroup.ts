import { askCloud, collectFaults } from '../../shared/cloud/cloud-faults.ts';
import { openClusterSession } from '../../shared/cloud/cluster-session.ts';
import { nodegroupNeeds, resolveNodeFacts } from '../../shared/cloud/node-facts.ts';
import { deleteServerGroups, ensureServerGroups, serverGroupName } from '../../shared/cloud/server-groups.ts';
import { type ErrorCode, RejectedError } from '../../shared/contract/errors.ts';
import type { EventData } from '../../shared/contract/event-types.ts';
import { acceptedReply, checkSubject } from '../../shared/contract/operation-replies.ts';
import type { CloudEventIn, CloudEventOut } from '../../shared/host/cloud-event.ts';
import { writeAutoscalerImage } from '../../shared/kubernetes/autoscaler.ts';
import { isConflict } from '../../shared/kubernetes/errors.ts';
import { installAutoscaler } from '../../shared/kubernetes/install-autoscaler.ts';
import { clusterLease, withLease } from '../../shared/kubernetes/lease.ts';
import type { LiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import { isSuperseded, openRecord, readRecord } from '../../shared/kubernetes/operation-record.ts';
import { proceedWhile } from '../../shared/kubernetes/proceed-while.ts';
import { addMachineDeployment, writeRecord } from '../../shared/kubernetes/topology-patch.ts';
import type { NodegroupIntent } from '../../shared/magnum/cluster-intent.ts';
import { toNodegroupIntent } from '../../shared/magnum/to-nodegroup-intent.ts';
import {
  type MachineDeploymentTopology,
  machineDeploymentTopology,
  missingVariables,
} from '../../shared/render/machine-deployment.ts';
import type { nodegroupCreateType } from './accepted-events.ts';
import type { Environment } from './environment.ts';
import { refusedByClusterApi } from './refused-by-cluster-api.ts';
import { requireIntent } from './require-intent.ts';

type CreateEvent = CloudEventIn<typeof nodegroupCreateType, EventData<typeof nodegroupCreateType>>;

/** Minutes (design §4). */
const timeout = 60;
/** The topology controller writes the Cluster's status all the time, and each write is a new version. */
const patchAttempts = 5;

interface Creation {
  readonly environment: Environment;
  readonly event: CreateEvent;
  readonly intent: NodegroupIntent;
  readonly proceed: () => void;
}

/**
 * Adds a nodegroup to the topology of a live Cluster, whichever driver made it.
 * @throws RejectedError, BusyError, DependencyError
 */
export async function createNodegroup(environment: Environment, event: CreateEvent): Promise<CloudEventOut> {
  checkSubject(event);
  const { uuid } = event.data.cluster;
  const { intent, notes } = requireIntent(toNodegroupIntent(event.data, event.data.nodegroup));
  return withLease(environment.kubernetes, clusterLease(uuid, environment), async (lease) => {
    const creation = { environment, event, intent, proceed: proceedWhile(lease, environment.signal) };
    const found = await liveCluster(creation);
    const cluster = hasEntry(found, intent.name) ? found : await addNodegroup(creation, found);
    creation.proceed();
    const remarks = [...notes, ...(await installAutoscaler(environment.kubernetes, cluster))];
    const stackId = cluster.metadata.name;
    return acceptedReply({ cluster_uuid: uuid, stack_id: stackId, nodegroup: intent.name, notes: remarks });
  });
}

/** @throws RejectedError where there is no Cluster that a nodegroup can be added to, or a newer event was carried out */
async function liveCluster({ environment, event, intent }: Omit<Creation, 'proceed'>): Promise<LiveCluster> {
  const { uuid, stack_id } = event.data.cluster;
  const cluster = await environment.repository.findCluster(uuid, stack_id || null);
  if (cluster === null) throw rejected('not_found', 'The cluster has no Cluster object in the management cluster.');
  if (cluster.metadata.deletionTimestamp !== undefined) throw rejected('superseded', 'The cluster is being deleted.');
  const { name } = intent;
  if (isSuperseded(event, readRecord(cluster.metadata.annotations, name))) {
    throw rejected('superseded', `A newer operation on nodegroup ${name} was accepted.`);
  }
  return cluster;
}

function hasEntry(cluster: LiveCluster, name: string): boolean {
  return cluster.spec.topology.workers?.machineDeployments?.some((entry) => entry.name === name) ?? false;
}

/** Acts as the cluster: the request's own token is not needed for anything that a nodegroup has. */
async function addNodegroup(creation: Creation, cluster: LiveCluster): Promise<LiveCluster> {
  const { environment, intent, proceed } = creation;
  const stackId = cluster.metadata.name;
  const secret = await environment.repository.findCloudConfig(stackId);
  if (secret === null)
    throw rejected('not_found', `The Secret ${stackId}-cloud-config with the cluster's credential is gone.`);
  const session = openClusterSession(secret, environment.onCloudRequest);
  try {
    await askCloud(() => session.authentication());
    const faults = collectFaults();
    const facts = await resolveNodeFacts(session, [nodegroupNeeds(intent)], faults);
    faults.throwIfAny();
    const context = { facts, clusterVariables: cluster.spec.topology.variables };
    const name = serverGroupName(stackId, intent.name);
    const variables = await environment.repository.classVariables(cluster.spec.topology.classRef.name);
    checkVariables(variables, machineDeploymentTopology(intent, { ...context, serverGroupId: '' }));
    const group = { name, policy: intent.serverGroup.policy };
    const ids = await askCloud(() => ensureServerGroups(session, [group], proceed));
    const serverGroupId = ids.get(name) ?? '';
    proceed();
    await environment.repository.recordServerGroup(secret, serverGroupId);
    const entry = machineDeploymentTopology(intent, { ...context, serverGroupId });
    return await patchOrDiscard(creation, { cluster, entry }, () => deleteServerGroups(session, [name], proceed));
  } finally {
    session.close();
  }
}

/** An older class does not know what only newer drivers can ask for; Cluster API would refuse the whole Cluster. */
function checkVariables(variables: readonly string[], entry: MachineDeploymentTopology): void {
  const missing = missingVariables(variables, entry);
  if (missing.length === 0) return;
  throw new RejectedError([
    {
      code: 'upgrade_required',
      message: `The cluster's class does not know ${missing.join(', ')}, which nodegroup ${entry.name} needs: upgrade the cluster first.`,
    },
  ]);
}

interface Addition {
  readonly cluster: LiveCluster;
  readonly entry: MachineDeploymentTopology;
}

async function patchOrDiscard(
  creation: Creation,
  addition: Addition,
  discard: () => Promise<void>,
): Promise<LiveCluster> {
  try {
    return await refusedByClusterApi(() => patch(creation, addition, patchAttempts));
  } catch (error) {
    if (error instanceof RejectedError) await askCloud(discard);
    throw error;
  }
}

async function patch(creation: Creation, { cluster, entry }: Addition, attempts: number): Promise<LiveCluster> {
  const { environment, event, intent, proceed } = creation;
  proceed();
  const record = openRecord(event, 'nodegroup.create', timeout);
  const { image_repository } = event.data.options.auto_scaling;
  const operations = [
    addMachineDeployment(cluster, entry),
    writeRecord(cluster, entry.name, record),
    ...(intent.size.kind === 'autoscaled' ? writeAutoscalerImage(cluster, image_repository) : []),
  ];
  try {
    return await environment.repository.patchCluster(cluster, operations);
  } catch (error) {
    if (!isConflict(error) || attempts <= 1) throw error;
    const current = await liveCluster(creation);
    if (hasEntry(current, entry.name)) return current;
    return patch(creation, { cluster: current, entry }, attempts - 1);
  }
}

function rejected(code: ErrorCode, message: string): RejectedError {
  return new RejectedError([{ code, message }]);
}
