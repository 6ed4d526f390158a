import type { Session } from 'openstack-client-ts';
import { RejectedError } from '../../shared/contract/errors.ts';
import { acceptedReply, checkSubject } from '../../shared/contract/operation-replies.ts';
import type { CloudEventOut } from '../../shared/host/cloud-event.ts';
import { writeAutoscalerOptions } from '../../shared/kubernetes/autoscaler.ts';
import { withClusterLease } from '../../shared/kubernetes/cluster-lease.ts';
import { isInvalid } from '../../shared/kubernetes/errors.ts';
import { upgradeAutoscaler } from '../../shared/kubernetes/install-autoscaler.ts';
import { escapePointer } from '../../shared/kubernetes/json-pointer.ts';
import type { JsonPatchOperation } from '../../shared/kubernetes/kubernetes-object.ts';
import type { LiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import { isSuperseded, openRecord, readRecord } from '../../shared/kubernetes/operation-record.ts';
import { writeRecord } from '../../shared/kubernetes/topology-patch.ts';
import type { ClusterIntent } from '../../shared/magnum/cluster-intent.ts';
import { toClusterIntent } from '../../shared/magnum/to-cluster-intent.ts';
import { toUpgradeTarget, type UpgradeTarget, upgradedSnapshot } from '../../shared/magnum/upgrade-target.ts';
import { changeCluster } from '../../shared/operation/change-cluster.ts';
import { addonOptions } from '../../shared/operation/cluster-addons.ts';
import { clusterSession } from '../../shared/operation/cluster-session.ts';
import { isRepeated, liveTarget } from '../../shared/operation/live-target.ts';
import { requireIntent } from '../../shared/operation/require-intent.ts';
import type { ServerGroupFacts } from '../../shared/render/cloud-facts.ts';
import { clusterLabels, topology } from '../../shared/render/cluster.ts';
import { imageFacts } from '../../shared/render/node-variables.ts';
import { checkOperatingSystem, checkUpgrade, inProgress, versionNotes } from './check-upgrade.ts';
import type { Environment } from './environment.ts';
import { type Inspection, type InspectionQuestion, inspectCluster, upgradedServerGroups } from './inspect-cluster.ts';
import { rebuiltMachines } from './rebuilt-machines.ts';
import { templateNotes } from './template-notes.ts';
import type { Upgrade, UpgradeEvent } from './upgrade.ts';
import { type AddonPlan, planAddons, upgradeAddons } from './upgrade-addons.ts';
import { upgradeMinutes } from './upgrade-minutes.ts';
import { upgradedTopology } from './upgraded-topology.ts';

/** Everything that one upgrade works with once it holds the Lease. */
interface TargetedUpgrade extends Upgrade {
  readonly target: UpgradeTarget;
}

/**
 * Moves a cluster to version and image of another template, to this release's class and to its add-ons, whichever driver made it.
 * Everything is checked before anything is written. Sent again, it finds what an earlier attempt left.
 * @throws RejectedError, BusyError, DependencyError
 */
export async function upgradeCluster(environment: Environment, event: UpgradeEvent): Promise<CloudEventOut> {
  checkSubject(event);
  const { intent: target } = requireIntent(toUpgradeTarget(event.data.new_cluster_template));
  const { uuid } = event.data.cluster;
  return withClusterLease(environment, uuid, async (proceed) => {
    const upgrade = { environment, event, target, proceed };
    const found = await liveTarget(environment.repository, targetOf(event));
    const { cluster, notes } = await carryOut(upgrade, found);
    // The resync may have removed the class as unused in the moment before the Cluster referred to it.
    proceed();
    await environment.repository.ensureClusterClass(environment.classes);
    proceed();
    const autoscaler = await upgradeAutoscaler(environment.kubernetes, cluster);
    return acceptedReply({
      cluster_uuid: uuid,
      stack_id: cluster.metadata.name,
      nodegroup: null,
      notes: [...templateNotes(event.data), ...versionNotes(target), ...notes, ...autoscaler],
    });
  });
}

/** The record is the cluster's own, also where Magnum names a nodegroup. */
function targetOf(event: UpgradeEvent) {
  return { event, nodegroup: null };
}

/** @throws RejectedError where the Cluster may not be upgraded, as it is now */
async function liveCluster({ environment, event, target }: TargetedUpgrade): Promise<LiveCluster> {
  const cluster = await liveTarget(environment.repository, targetOf(event));
  checkUpgrade(cluster, target);
  return cluster;
}

interface Upgraded {
  readonly cluster: LiveCluster;
  readonly notes: readonly string[];
}

async function carryOut(upgrade: TargetedUpgrade, found: LiveCluster): Promise<Upgraded> {
  const { environment, event } = upgrade;
  const isDone = isRepeated(targetOf(event), found);
  if (!isDone) checkUpgrade(found, upgrade.target);
  const { intent, notes } = upgradedIntent(upgrade, found);
  const options = addonOptions(event.data.options);
  const stackId = found.metadata.name;
  const { session, secret } = await clusterSession(environment, stackId);
  try {
    const plan = () => planAddons(upgrade, { stackId, intent, options, session, secret });
    const { cluster, addons, rebuilt } = isDone
      ? { cluster: found, addons: await plan(), rebuilt: [] }
      : await change(upgrade, { found, intent, session, plan });
    // Cluster API has accepted the version: only now the add-ons may move to it.
    return { cluster, notes: [...notes, ...rebuilt, ...(await upgradeAddons(upgrade, addons))] };
  } finally {
    session.close();
  }
}

interface Change {
  readonly found: LiveCluster;
  readonly intent: ClusterIntent;
  readonly session: Session;
  readonly plan: () => Promise<AddonPlan>;
}

async function change(upgrade: TargetedUpgrade, { found, intent, session, plan }: Change) {
  const { environment, proceed } = upgrade;
  const [inspection, addons] = await Promise.all([
    inspectBesideClass(upgrade, { cluster: found, intent, session }),
    plan(),
  ]);
  const stackId = found.metadata.name;
  const serverGroups = await upgradedServerGroups(environment, inspection, { stackId, session, proceed });
  const { before, after } = await write(upgrade, found, { ...inspection, intent, serverGroups });
  return { cluster: after, addons, rebuilt: rebuiltMachines(before.spec.topology, after.spec.topology) };
}

/** What the rows ask for, with the key pair that the machines have. @throws RejectedError */
function upgradedIntent({ event, target }: TargetedUpgrade, live: LiveCluster) {
  const { workers, variables } = live.spec.topology;
  const names = workers?.machineDeployments?.map(({ name }) => name) ?? [];
  const cluster = { ...event.data.cluster, stack_id: live.metadata.name };
  const { intent, notes } = requireIntent(toClusterIntent(upgradedSnapshot({ ...event.data, cluster }, target, names)));
  checkOperatingSystem(live, intent.operatingSystem, target);
  const keypair = variables.find(({ name }) => name === 'sshKeyName')?.value;
  const kept = typeof keypair === 'string' ? { keypair: keypair || null } : {};
  return { intent: { ...intent, operatingSystem: target.operatingSystem, ...kept }, notes };
}

/** Cluster API's webhook waits two seconds for a class that it has not seen: the class is written while the cloud is asked. */
async function inspectBesideClass({ environment, proceed }: Upgrade, question: InspectionQuestion) {
  proceed();
  const [inspection] = await Promise.all([
    inspectCluster(environment, question),
    environment.repository.ensureClusterClass(environment.classes),
  ]);
  return inspection;
}

interface Rendering extends Inspection {
  readonly intent: ClusterIntent;
  readonly serverGroups: ServerGroupFacts;
}

interface Written {
  readonly before: LiveCluster;
  readonly after: LiveCluster;
}

async function write(upgrade: TargetedUpgrade, found: LiveCluster, rendering: Rendering): Promise<Written> {
  try {
    return await changeOnce(upgrade, found, rendering);
  } catch (error) {
    if (!(error instanceof RejectedError && isInvalid(error.cause))) throw error;
    const { repository, classes } = upgrade.environment;
    // Cluster API says so of an upgrade that the conditions do not tell of yet.
    if (error.message.includes('version cannot be changed')) throw inProgress(stillBusy);
    if ((await repository.classVariables(classes.name)).length > 0) throw error;
    upgrade.proceed();
    await repository.ensureClusterClass(classes);
    return changeOnce(upgrade, await liveCluster(upgrade), rendering);
  }
}

const stillBusy = "Cluster API is still busy with the cluster's machines.";

async function changeOnce(upgrade: TargetedUpgrade, found: LiveCluster, rendering: Rendering): Promise<Written> {
  const { environment, proceed } = upgrade;
  let before = found;
  const plan = (current: LiveCluster) => {
    before = current;
    return changes(upgrade, current, rendering);
  };
  const { repository } = environment;
  const after = await changeCluster({ repository, proceed, reload: () => liveCluster(upgrade), plan }, found);
  return { before, after };
}

/** The topology is replaced whole, since all of it is the new class's. */
function changes({ environment, event }: Upgrade, cluster: LiveCluster, rendering: Rendering): JsonPatchOperation[] {
  const { intent, facts } = rendering;
  const rendered = topology({
    ...rendering,
    stackId: cluster.metadata.name,
    className: environment.classes.name,
    intent: { ...intent, workers: intent.workers.filter(({ name }) => !isOutdated(event, cluster, name)) },
  });
  const image = imageFacts(facts, intent.controlPlane.image);
  const value = upgradedTopology(cluster.spec.topology, rendered, image);
  return [
    { op: 'replace', path: '/spec/topology', value },
    writeRecord(cluster, null, openRecord(event, 'cluster.upgrade', upgradeMinutes(cluster))),
    ...writeAutoscalerOptions(cluster, event.data.options.auto_scaling),
    ...writeLabels(cluster, intent),
  ];
}

/** Whether a nodegroup was changed after the snapshot was taken, so that its row would undo the change. */
function isOutdated(event: UpgradeEvent, { metadata }: LiveCluster, nodegroup: string): boolean {
  return isSuperseded(event, readRecord(metadata.annotations, nodegroup));
}

/** The Cluster has labels: it was found by one. */
function writeLabels({ metadata }: LiveCluster, intent: ClusterIntent): JsonPatchOperation[] {
  return Object.entries(clusterLabels(intent))
    .filter(([key, value]) => metadata.labels[key] !== value)
    .map(([key, value]) => ({ op: 'add', path: `/metadata/labels/${escapePointer(key)}`, value }));
}
