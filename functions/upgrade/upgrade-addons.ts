import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from 'openstack-client-ts';
import { askCloud } from '../../shared/cloud/cloud-faults.ts';
import { readCloudServices } from '../../shared/cloud/cloud-services.ts';
import { clusterWorkloadAccess } from '../../shared/cloud/workload-access.ts';
import {
  deleteAddons,
  findAddons,
  type LiveAddons,
  outdatedSecrets,
  writeAddons,
} from '../../shared/kubernetes/addon-objects.ts';
import { filesOf, isAnythingApplied, isApplied } from '../../shared/kubernetes/addon-sets.ts';
import type { LiveSecret } from '../../shared/kubernetes/cluster-repository.ts';
import type { CustomObject } from '../../shared/kubernetes/kubernetes-object.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { makeRoom, type WantedObject } from '../../shared/kubernetes/workload-migration.ts';
import type { ClusterIntent } from '../../shared/magnum/cluster-intent.ts';
import { type AddonOptions, clusterAddons } from '../../shared/operation/cluster-addons.ts';
import type { CloudServices } from '../../shared/render/addons/addon.ts';
import type { AddonObjects } from '../../shared/render/addons/addon-secrets.ts';
import { readDocuments } from '../../shared/render/addons/cloud-conf/manifest-files.ts';
import {
  droppedObjects,
  type ManifestIdentity,
  manifestIdentity,
} from '../../shared/render/addons/manifest-identity.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { stackNames } from '../../shared/render/stack-names.ts';
import { inShortSpan } from '../../shared/telemetry/in-span.ts';
import { findLegacyAddons } from './legacy-addons.ts';
import type { Upgrade } from './upgrade.ts';

export interface AddonQuestion {
  readonly stackId: string;
  readonly intent: ClusterIntent;
  readonly options: AddonOptions;
  /** Signed in as the cluster. */
  readonly session: Session;
  /** The cloud-config Secret that it was opened by. */
  readonly secret: LiveSecret;
}

/** What the add-ons shall be, and what there is of them. */
export interface AddonPlan {
  readonly stackId: string;
  readonly wanted: AddonObjects;
  readonly live: LiveAddons;
  /** What Cluster API has applied so far. */
  readonly binding: CustomObject | undefined;
  /** The original driver's. */
  readonly legacy: readonly LiveAddons[];
  /** What earlier manifests brought and nothing brings any more. */
  readonly dropped: readonly ManifestIdentity[];
  readonly notes: readonly string[];
}

/**
 * Renders the add-ons of this release for the cluster as it shall be, before anything is written.
 * @throws RejectedError, DependencyError
 */
export async function planAddons({ environment, event }: Upgrade, question: AddonQuestion): Promise<AddonPlan> {
  const { stackId, intent, options, session, secret } = question;
  const { kubernetes, signal } = environment;
  const { context } = event.data;
  const [live, binding, legacy, reading, access] = await Promise.all([
    findAddons(kubernetes, stackId, { signal }),
    kubernetes.find(resources.clusterResourceSetBinding, { namespace, name: stackId }, { signal }),
    findLegacyAddons(environment, { stackId, uuid: intent.uuid }),
    askCloud(() => readCloudServices(session, intent)),
    askCloud(() => clusterWorkloadAccess(session, secret, { authUrl: context.auth_url, options: event.data.options })),
  ]);
  const before = [live, ...legacy].flatMap(({ secrets }) => identitiesOf(secrets));
  const services = withInstalledDrivers(reading.services, before);
  const facts = { stackId, intent, services, access };
  const wanted = inShortSpan({ name: 'render add-ons' }, () => clusterAddons(options, facts));
  const dropped = droppedObjects(before, identitiesOf(wanted.secrets));
  return { stackId, wanted, live, binding, legacy, dropped, notes: reading.notes };
}

/**
 * Brings the add-ons to this release, in the workload cluster by way of Cluster API. Each step finds what an earlier attempt left.
 * @returns what the user should know, as sentences
 * @throws ConflictError where another has written them since, DependencyError
 */
export async function upgradeAddons(upgrade: Upgrade, plan: AddonPlan): Promise<readonly string[]> {
  const { environment, proceed } = upgrade;
  const { kubernetes, signal } = environment;
  const { stackId, wanted, live, legacy, dropped, notes } = plan;
  const clearWay = (coming: readonly WantedObject[]) =>
    makeRoom(kubernetes, { stackId, wanted: coming, dropped, proceed, signal });
  // Where nothing was ever applied, nothing stands in the way.
  const isInUse = isAnythingApplied(plan.binding);
  const problem = isInUse ? await clearWay(pendingSecrets(plan).flatMap(objectsOf)) : null;
  await writeAddons(kubernetes, wanted, { live, proceed });
  for (const set of legacy) await deleteAddons(kubernetes, { live: set, proceed });
  if (problem !== null) return [...notes, problem];
  if (!isInUse || dropped.length === 0) return notes;
  // While the Secrets were written, Cluster API may have applied the old ones once more.
  await untilApplied(upgrade, plan);
  const left = await clearWay([]);
  return left === null ? notes : [...notes, left];
}

const pollMs = 500;

/** Waits until Cluster API has applied the Secrets as they were written, so that it has the old ones in hand no longer. */
async function untilApplied({ environment: { kubernetes, signal, applyMs } }: Upgrade, plan: AddonPlan): Promise<void> {
  const secrets = pendingSecrets(plan);
  const reference = { namespace, name: plan.stackId };
  const set = stackNames(plan.stackId).addons;
  const end = Date.now() + applyMs;
  while (Date.now() < end) {
    const binding = await kubernetes.find(resources.clusterResourceSetBinding, reference, { signal });
    if (secrets.every((secret) => isApplied({ set, secret }, binding))) return;
    await sleep(pollMs, undefined, { signal });
  }
}

/** Secrets that Cluster API is to apply yet: those that change, and those that it could not apply so far. */
function pendingSecrets({ stackId, wanted, live, binding }: AddonPlan): AddonObjects['secrets'] {
  const outdated = new Set(outdatedSecrets(live, wanted));
  const set = stackNames(stackId).addons;
  return wanted.secrets.filter((secret) => outdated.has(secret) || !isApplied({ set, secret }, binding));
}

/** The objects of a Secret's manifests. */
function objectsOf(secret: Pick<LiveSecret, 'data'>): WantedObject[] {
  return Object.values(filesOf(secret))
    .flatMap(readDocuments)
    .flatMap((manifest) => {
      const identity = manifestIdentity(manifest);
      return identity === null ? [] : [{ identity, manifest: Object(manifest) }];
    });
}

function identitiesOf(secrets: readonly Pick<LiveSecret, 'data'>[]): ManifestIdentity[] {
  return secrets.flatMap(objectsOf).map(({ identity }) => identity);
}

/** A driver that is installed stays, also while its service is missing from the catalogue: volumes may be mounted by it. */
function withInstalledDrivers(services: CloudServices, installed: readonly ManifestIdentity[]): CloudServices {
  const isInstalled = (driver: string) => installed.some(({ kind, name }) => kind === 'CSIDriver' && name === driver);
  return {
    ...services,
    volumeTypes: services.volumeTypes ?? (isInstalled('cinder.csi.openstack.org') ? [] : null),
    shareTypes: services.shareTypes ?? (isInstalled('nfs.manila.csi.openstack.org') ? [] : null),
  };
}
