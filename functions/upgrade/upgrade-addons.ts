import type { Session } from 'openstack-client-ts';
import { askCloud } from '../../shared/cloud/cloud-faults.ts';
import { readCloudServices } from '../../shared/cloud/cloud-services.ts';
import { clusterCredential } from '../../shared/cloud/cluster-session.ts';
import { workloadAccess } from '../../shared/cloud/workload-access.ts';
import {
  type AddonSets,
  deleteAddonSets,
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
  readonly legacy: AddonSets;
  readonly notes: readonly string[];
}

/**
 * Renders the add-ons of this release for the cluster as it shall be, before anything is written.
 * @throws RejectedError, DependencyError
 */
export async function planAddons({ environment, event }: Upgrade, question: AddonQuestion): Promise<AddonPlan> {
  const { stackId, intent, options, session, secret } = question;
  const { kubernetes, signal } = environment;
  const [live, binding, legacy, reading, access] = await Promise.all([
    findAddons(kubernetes, stackId, { signal }),
    kubernetes.find(resources.clusterResourceSetBinding, { namespace, name: stackId }, { signal }),
    findLegacyAddons(environment, { stackId, uuid: intent.uuid }),
    askCloud(() => readCloudServices(session, intent)),
    askCloud(() => workloadAccess(session, { authUrl: event.data.context.auth_url, options: event.data.options })),
  ]);
  const credential = clusterCredential(secret);
  const services = withInstalledDrivers(reading.services, [...live.secrets, ...legacy.secrets]);
  const wanted = clusterAddons(options, {
    stackId,
    intent,
    services,
    access: {
      ...access,
      applicationCredentialId: credential?.id ?? '',
      applicationCredentialSecret: credential?.secret ?? '',
    },
  });
  return { stackId, wanted, live, binding, legacy, notes: reading.notes };
}

/**
 * Brings the add-ons to this release, in the workload cluster by way of Cluster API. Each step finds what an earlier attempt left.
 * @returns what the user should know, as sentences
 * @throws ConflictError where another has written them since, DependencyError
 */
export async function upgradeAddons(upgrade: Upgrade, plan: AddonPlan): Promise<readonly string[]> {
  const { environment, proceed } = upgrade;
  const { wanted, live, legacy, binding, notes } = plan;
  // Where nothing was ever applied, nothing stands in the way.
  const isApplied = isAnythingApplied(binding);
  const wantedNow = pendingSecrets(plan).flatMap(objectsOf);
  const problem = isApplied ? await clearWay(upgrade, plan, wantedNow) : null;
  await writeAddons(environment.kubernetes, wanted, { live, proceed });
  await deleteAddonSets(environment.kubernetes, legacy, proceed);
  // Until the Secrets were written, Cluster API may have tried the old ones once more.
  if (isApplied && problem === null) await clearWay(upgrade, plan, []);
  return problem === null ? notes : [...notes, problem];
}

function clearWay(
  { environment, proceed }: Upgrade,
  { stackId, wanted, live, legacy }: AddonPlan,
  coming: readonly WantedObject[],
): Promise<string | null> {
  const identities = (secrets: readonly Pick<LiveSecret, 'data'>[]) =>
    secrets.flatMap(objectsOf).map(({ identity }) => identity);
  const dropped = droppedObjects(identities([...live.secrets, ...legacy.secrets]), identities(wanted.secrets));
  const { kubernetes, signal } = environment;
  return makeRoom(kubernetes, { stackId, wanted: coming, dropped, proceed, signal });
}

/** Secrets that Cluster API is to apply yet: those that change, and those that it could not apply so far. */
function pendingSecrets({ stackId, wanted, live, binding }: AddonPlan): AddonObjects['secrets'] {
  const outdated = new Set(outdatedSecrets(live, wanted));
  const set = stackNames(stackId).addons;
  return wanted.secrets.filter((secret) => outdated.has(secret) || !isApplied({ set, secret }, binding));
}

/** An object of a Secret's manifests. */
function objectsOf(secret: Pick<LiveSecret, 'data'>): WantedObject[] {
  return Object.values(filesOf(secret))
    .flatMap(readDocuments)
    .flatMap((manifest) => {
      const identity = manifestIdentity(manifest);
      return identity === null ? [] : [{ identity, manifest: Object(manifest) }];
    });
}

/** A driver that is installed stays, also while its service is missing from the catalogue: volumes may be mounted by it. */
function withInstalledDrivers(services: CloudServices, secrets: readonly Pick<LiveSecret, 'data'>[]): CloudServices {
  const identities = secrets.flatMap(objectsOf).map(({ identity }) => identity);
  const isInstalled = (driver: string) => identities.some((identity) => isDriver(identity, driver));
  return {
    ...services,
    volumeTypes: services.volumeTypes ?? (isInstalled('cinder.csi.openstack.org') ? [] : null),
    shareTypes: services.shareTypes ?? (isInstalled('nfs.manila.csi.openstack.org') ? [] : null),
  };
}

function isDriver({ kind, name }: ManifestIdentity, driver: string): boolean {
  return kind === 'CSIDriver' && name === driver;
}
