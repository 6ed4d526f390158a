import { createHash } from 'node:crypto';
import type { V1Secret } from '@kubernetes/client-node';
import type { ManifestFiles } from '../render/addons/cloud-conf/manifest-files.ts';
import { base64 } from '../render/base64.ts';
import { managementNamespace as namespace } from '../render/metadata.ts';
import { stackNames } from '../render/stack-names.ts';
import { isTrueAt, listAt, textAt } from '../status/views/json-part.ts';
import { findAddons } from './addon-objects.ts';
import type { CallOptions } from './caller.ts';
import type { KubernetesClient } from './client.ts';
import { escapePointer } from './json-pointer.ts';
import type { CustomObject, JsonPatchOperation, Wire } from './kubernetes-object.ts';
import { resources } from './resources.ts';

/** A Secret with manifests that a resource set keeps applied to the workload cluster. */
export interface AddonSecret {
  /** Name of the ClusterResourceSet. */
  readonly set: string;
  readonly secret: Wire<V1Secret>;
  readonly files: ManifestFiles;
}

/**
 * What Cluster API keeps applied to a cluster, of this driver's set and the original's. A set that is applied only once, as
 * the original's other one, changes nothing any more.
 * @throws KubernetesError
 */
export async function readAddonSecrets(
  client: KubernetesClient,
  stackId: string,
  options: CallOptions = {},
): Promise<readonly AddonSecret[]> {
  const read = await Promise.all([
    readOwnSet(client, stackId, options),
    readLegacySet(client, stackNames(stackId).cloudProvider, options),
  ]);
  return read.flat();
}

/** This driver's Secrets are had in one call, since there is one for each add-on. */
async function readOwnSet(client: KubernetesClient, stackId: string, options: CallOptions): Promise<AddonSecret[]> {
  const { set, secrets } = await findAddons(client, stackId, options);
  const named = set === undefined ? [] : secretNames(set);
  return secrets
    .filter(({ metadata }) => named.includes(metadata.name))
    .map((secret) => ({ set: stackNames(stackId).addons, secret, files: filesOf(secret) }));
}

async function readLegacySet(client: KubernetesClient, set: string, options: CallOptions): Promise<AddonSecret[]> {
  const found = await client.find(resources.clusterResourceSet, { namespace, name: set }, options);
  if (textAt(found, 'spec', 'strategy') !== 'Reconcile') return [];
  const names = secretNames(found);
  const secrets = await Promise.all(names.map((name) => client.find(resources.secret, { namespace, name }, options)));
  return secrets.flatMap((secret) => (secret === undefined ? [] : [{ set, secret, files: filesOf(secret) }]));
}

function secretNames(set: CustomObject | undefined): readonly string[] {
  return listAt(set, 'spec', 'resources').flatMap((resource) => {
    return textAt(resource, 'kind') === 'Secret' ? (textAt(resource, 'name') ?? []) : [];
  });
}

/** The manifests of a Secret by its keys. */
export function filesOf({ data = {} }: Pick<Wire<V1Secret>, 'data'>): ManifestFiles {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, text(value)]));
}

function text(value: string): string {
  return Buffer.from(value, 'base64').toString('utf8');
}

/** All manifests of a cluster; keys of different Secrets do not meet. */
export function allFiles(secrets: readonly AddonSecret[]): ManifestFiles {
  return Object.fromEntries(
    secrets.flatMap(({ secret, files }) =>
      Object.entries(files).map(([key, file]) => [`${secret.metadata?.name}/${key}`, file]),
    ),
  );
}

/** Writes changed files, based on the Secret as it was read. @throws ConflictError where it was changed since */
export async function writeFiles(
  client: KubernetesClient,
  { secret }: AddonSecret,
  files: ManifestFiles,
): Promise<void> {
  const { name = '', resourceVersion } = secret.metadata ?? {};
  const operations = Object.entries(files).map(([key, file]): JsonPatchOperation => {
    return { op: 'add', path: `/data/${escapePointer(key)}`, value: base64(file) };
  });
  await client.patch(resources.secret, { namespace, name }, { operations, resourceVersion });
}

/** Whether Cluster API has applied the Secret as it is now, by the binding that bears the Cluster's name. */
export function isApplied(
  { set, secret }: Pick<AddonSecret, 'set' | 'secret'>,
  binding: CustomObject | undefined,
): boolean {
  return listAt(binding, 'spec', 'bindings')
    .filter((one) => textAt(one, 'clusterResourceSetName') === set)
    .flatMap((one) => listAt(one, 'resources'))
    .some((resource) => {
      const isIt = textAt(resource, 'kind') === 'Secret' && textAt(resource, 'name') === secret.metadata?.name;
      return isIt && isTrueAt(resource, 'applied') && textAt(resource, 'hash') === appliedHash(secret);
    });
}

/** Whether any set has put anything into the workload cluster. */
export function isAnythingApplied(binding: CustomObject | undefined): boolean {
  return listAt(binding, 'spec', 'bindings')
    .flatMap((one) => listAt(one, 'resources'))
    .some((resource) => isTrueAt(resource, 'applied'));
}

/** As Cluster API computes it: over the decoded values in the order of their keys (clusterresourceset_helpers.go). */
function appliedHash({ data = {} }: Wire<V1Secret>): string {
  const hash = createHash('sha256');
  // Keys are ASCII, so that this is Go's order of bytes.
  for (const key of Object.keys(data).sort()) hash.update(Buffer.from(data[key] ?? '', 'base64'));
  return `sha256:${hash.digest('hex')}`;
}
