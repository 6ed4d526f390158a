import { type AddonObjects, resourceSetType } from '../render/addons/addon-secrets.ts';
import { clusterNameLabel, managedBySelector, managementNamespace as namespace } from '../render/metadata.ts';
import { stackNames } from '../render/stack-names.ts';
import type { CallOptions } from './caller.ts';
import type { KubernetesClient } from './client.ts';
import { type LiveSecret, liveSecret } from './cluster-repository.ts';
import { covers } from './covers.ts';
import { isNotFound } from './errors.ts';
import type { CustomObject, KubernetesObject } from './kubernetes-object.ts';
import { type ResourceType, resources } from './resources.ts';

/** A resource set with its Secrets, as they were read. */
export interface LiveAddons {
  readonly secrets: readonly LiveSecret[];
  readonly set: CustomObject | undefined;
}

/** As for a cluster that nobody has begun to create. */
export const noAddons: LiveAddons = { secrets: [], set: undefined };

/** What the management cluster has of this driver's add-ons for one cluster. @throws KubernetesError */
export async function findAddons(
  client: KubernetesClient,
  stackId: string,
  options: CallOptions = {},
): Promise<LiveAddons> {
  const [secrets, set] = await Promise.all([
    listAddonSecrets(client, stackId, options),
    client.find(resources.clusterResourceSet, { namespace, name: stackNames(stackId).addons }, options),
  ]);
  return { secrets, set };
}

/** This driver's Secrets with manifests of one cluster. @throws KubernetesError */
export async function listAddonSecrets(
  client: KubernetesClient,
  stackId: string,
  options: CallOptions = {},
): Promise<readonly LiveSecret[]> {
  const labelSelector = `${clusterNameLabel}=${stackId},${managedBySelector}`;
  const secrets = await client.list(resources.secret, { namespace, labelSelector, ...options });
  return secrets.filter(({ type }) => type === resourceSetType).map(liveSecret);
}

/** Secrets of which the content is another one than it shall be, or that are not there. */
export function outdatedSecrets(live: LiveAddons, wanted: AddonObjects): AddonObjects['secrets'] {
  return wanted.secrets.filter((secret) => {
    const current = live.secrets.find(({ metadata }) => metadata.name === secret.metadata.name);
    return current === undefined || !covers(current.data, secret.data);
  });
}

interface Writing {
  /** As it was read under the Lease: who was paused meanwhile overwrites nothing. */
  readonly live: LiveAddons;
  /** Runs before each write. @throws DriverError */
  readonly proceed: () => void;
}

/**
 * Brings the Secrets and their set to what they shall be. The set goes after the Secrets that it names, and before those
 * are deleted that it named.
 * @throws ConflictError where another has written one of them since
 */
export async function writeAddons(client: KubernetesClient, wanted: AddonObjects, writing: Writing): Promise<void> {
  const { live, proceed } = writing;
  const versions = new Map(live.secrets.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
  proceed();
  await Promise.all(
    outdatedSecrets(live, wanted).map((secret) =>
      write(client, resources.secret, { object: secret, version: versions.get(secret.metadata.name) }),
    ),
  );
  if (!covers(live.set?.spec, wanted.set.spec)) {
    proceed();
    const version = live.set?.metadata?.resourceVersion;
    await write(client, resources.clusterResourceSet, { object: wanted.set, version });
  }
  const names = new Set(wanted.secrets.map(({ metadata }) => metadata.name));
  const left = live.secrets.filter(({ metadata }) => !names.has(metadata.name));
  await deleteAll(client, resources.secret, { objects: left, proceed });
}

/** Deletes Secrets, and then the set that names them. What they have put into the workload cluster stays there. */
export async function deleteAddons(client: KubernetesClient, { live, proceed }: Writing): Promise<void> {
  await deleteAll(client, resources.secret, { objects: live.secrets, proceed });
  if (live.set !== undefined) await deleteAll(client, resources.clusterResourceSet, { objects: [live.set], proceed });
}

interface Written<T> {
  readonly object: T;
  /** Of the object that it takes the place of; undefined = there is none. */
  readonly version: string | undefined;
}

/** Applied, not replaced: Cluster API makes the set the owner of its Secrets. */
async function write<T extends KubernetesObject>(
  client: KubernetesClient,
  type: ResourceType<T>,
  { object, version }: Written<T>,
): Promise<void> {
  if (version === undefined) {
    await client.create(type, object);
    return;
  }
  const metadata = { ...object.metadata, resourceVersion: version };
  await client.apply(type, { ...object, metadata }, { force: true });
}

interface Removal {
  readonly objects: readonly KubernetesObject[];
  readonly proceed: () => void;
}

async function deleteAll<T extends KubernetesObject>(
  client: KubernetesClient,
  type: ResourceType<T>,
  { objects, proceed }: Removal,
): Promise<void> {
  for (const { metadata } of objects) {
    proceed();
    try {
      await client.delete(type, { namespace, name: metadata?.name ?? '' }, { uid: metadata?.uid });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}
