import { RejectedError } from '../../shared/contract/errors.ts';
import type { EventData } from '../../shared/contract/event-types.ts';
import { acceptedReply, checkSubject } from '../../shared/contract/operation-replies.ts';
import type { CloudEventIn, CloudEventOut } from '../../shared/host/cloud-event.ts';
import { deleteAddons, findAddons, noAddons, writeAddons } from '../../shared/kubernetes/addon-objects.ts';
import { withClusterLease } from '../../shared/kubernetes/cluster-lease.ts';
import { isAlreadyExists } from '../../shared/kubernetes/errors.ts';
import { installAutoscaler } from '../../shared/kubernetes/install-autoscaler.ts';
import type { LiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import { isSuperseded, readRecord } from '../../shared/kubernetes/operation-record.ts';
import type { ClusterIntent } from '../../shared/magnum/cluster-intent.ts';
import { toClusterIntent } from '../../shared/magnum/to-cluster-intent.ts';
import { type AddonOptions, addonOptions } from '../../shared/operation/cluster-addons.ts';
import type { FreeStackId } from '../../shared/operation/derived-stack-id.ts';
import type { HeldOperation } from '../../shared/operation/held-operation.ts';
import { isBeingDeleted } from '../../shared/operation/live-target.ts';
import { refusedByClusterApi } from '../../shared/operation/refused-by-cluster-api.ts';
import { rejection } from '../../shared/operation/rejection.ts';
import { requireIntent } from '../../shared/operation/require-intent.ts';
import { readDeleteRequest } from '../../shared/render/cloud-config.ts';
import { inShortSpan } from '../../shared/telemetry/in-span.ts';
import type { clusterCreateType } from './accepted-events.ts';
import { type CloudPlan, type ClusterCloud, openClusterCloud } from './cluster-cloud.ts';
import { type CreationFacts, createdCluster, createdSecrets, createOperation } from './created-objects.ts';
import type { Environment } from './environment.ts';
import { freeStackId } from './free-stack-id.ts';

type CreateEvent = CloudEventIn<typeof clusterCreateType, EventData<typeof clusterCreateType>>;

/** Everything that one create works with once it holds the Lease. */
interface Creation extends HeldOperation<CreateEvent, Environment> {
  readonly intent: ClusterIntent;
}

/**
 * Creates a cluster. Every step finds what an earlier attempt left, and the Cluster comes last: where it is there,
 * everything else is. A rejected request leaves nothing behind.
 * @throws RejectedError, BusyError, DependencyError
 */
export async function createCluster(environment: Environment, event: CreateEvent): Promise<CloudEventOut> {
  checkSubject(event);
  const { intent, notes } = requireIntent(toClusterIntent(event.data));
  return withClusterLease(environment, intent.uuid, async (proceed) => {
    const creation = { environment, event, intent, proceed };
    const existing = await environment.repository.findCluster(intent.uuid, intent.stackId);
    const created = existing === null ? await createNew(creation) : { live: checkExisting(existing, event), notes: [] };
    // The resync may have removed the class as unused in the moment before the Cluster referred to it.
    proceed();
    await environment.repository.ensureClusterClass(environment.classes);
    proceed();
    const autoscaler = await installAutoscaler(environment.kubernetes, created.live);
    return acceptedReply({
      cluster_uuid: intent.uuid,
      stack_id: created.live.metadata.name,
      nodegroup: null,
      notes: [...notes, ...created.notes, ...autoscaler],
    });
  });
}

/** A Cluster that is there was created by this event before, or by the same request under another id. */
function checkExisting(existing: LiveCluster, event: CreateEvent): LiveCluster {
  const record = readRecord(existing.metadata.annotations, null);
  const isNewer = record?.type !== createOperation && isSuperseded(event, record);
  if (!isNewer && !isBeingDeleted(existing)) return existing;
  throw rejection('superseded', 'The cluster was created before, and a newer operation on it was accepted.');
}

interface Created {
  readonly live: LiveCluster;
  readonly notes: readonly string[];
}

async function createNew(creation: Creation): Promise<Created> {
  const { environment, event, intent, proceed } = creation;
  const { context, options } = event.data;
  const addons = addonOptions(options);
  const cloud = openClusterCloud({
    authUrl: context.auth_url,
    options,
    token: context.token,
    onRequest: environment.onCloudRequest,
    beforeWrite: proceed,
  });
  try {
    const plan = await cloud.inspect(intent);
    const name = await freeStackId(environment.repository, intent);
    if (name.claimed) await checkNotDeleted(environment, name.stackId);
    const live = await writeOrDiscard(creation, { cloud, plan, addons, ...name });
    return { live, notes: plan.notes };
  } finally {
    cloud.close();
  }
}

/** What a create left that did not come to its end may be on its way out by now. */
async function checkNotDeleted({ repository }: Environment, stackId: string): Promise<void> {
  if (readDeleteRequest(await repository.findCloudConfig(stackId)) === null) return;
  throw rejection('superseded', 'Somebody has asked to delete the cluster since.');
}

interface Writing extends FreeStackId {
  readonly cloud: ClusterCloud;
  readonly plan: CloudPlan;
  readonly addons: AddonOptions;
}

async function writeOrDiscard(creation: Creation, writing: Writing): Promise<LiveCluster> {
  try {
    return await write(creation, writing);
  } catch (error) {
    if (error instanceof RejectedError) await discard(creation, writing);
    throw error;
  }
}

/** Where the cloud refuses even that, the Secrets stay: by them a delete of the cluster finds what is left. */
async function discard({ environment, intent, proceed }: Creation, { cloud, stackId }: Writing): Promise<void> {
  proceed();
  try {
    await cloud.discard(stackId, intent);
  } catch (error) {
    if (error instanceof RejectedError) return;
    throw error;
  }
  await deleteObjects(environment, stackId, proceed);
}

/** Deletes what a create has written; the cloud-config Secret, which claims the name, goes last. */
async function deleteObjects(
  { kubernetes, repository }: Environment,
  stackId: string,
  proceed: () => void,
): Promise<void> {
  await deleteAddons(kubernetes, { live: await findAddons(kubernetes, stackId), proceed });
  await repository.deleteSecrets(stackId, proceed);
}

async function write(creation: Creation, writing: Writing): Promise<LiveCluster> {
  const { environment, proceed } = creation;
  const { cloud, plan, stackId } = writing;
  const { repository, classes } = environment;
  const serverGroups = await cloud.ensureServerGroups(stackId, creation.intent);
  const facts = { event: creation.event, intent: creation.intent, stackId, plan, serverGroups };
  await writeSecrets(creation, writing, facts);
  await repository.ensureClusterClass(classes);
  proceed();
  const object = inShortSpan({ name: 'render Cluster' }, () => createdCluster(facts, classes.name));
  try {
    return await refusedByClusterApi(() => repository.createCluster(object));
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    return ownCluster(creation, stackId);
  }
}

/** All that holds the credential is new: of what an earlier attempt wrote, its secret is lost. */
async function writeSecrets(creation: Creation, writing: Writing, facts: CreationFacts): Promise<void> {
  const { environment, event, intent, proceed } = creation;
  const { cloud, addons, stackId, claimed } = writing;
  const { repository, kubernetes } = environment;
  if (claimed) await deleteObjects(environment, stackId, proceed);
  const credential = await cloud.createCredential(intent.uuid, event.id);
  const secrets = inShortSpan({ name: 'render Secrets' }, () => createdSecrets({ ...facts, credential, addons }));
  proceed();
  await repository.createCloudConfig(secrets.cloudConfig);
  proceed();
  await Promise.all([
    ...secrets.certificates.map(repository.applySecret),
    writeAddons(kubernetes, secrets.addons, { live: noAddons, proceed }),
  ]);
}

/** A Cluster of the name may be our own, created by a call whose answer was lost. */
async function ownCluster({ environment, intent }: Creation, stackId: string): Promise<LiveCluster> {
  const own = await environment.repository.findCluster(intent.uuid, stackId);
  if (own !== null) return own;
  const message = `The management cluster has a Cluster ${stackId} that belongs to something else.`;
  throw rejection('ambiguous', message, { hint: 'Create the cluster again: it gets another name.' });
}
