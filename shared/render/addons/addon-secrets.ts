import { resources } from '../../kubernetes/resources.ts';
import { base64 } from '../base64.ts';
import { clusterNameLabel, clusterUuidLabel, managedByLabel, managementNamespace } from '../metadata.ts';
import type { RenderedObject, Secret } from '../rendered-object.ts';
import { stackNames } from '../stack-names.ts';
import type { Addon } from './addon-manifests.ts';
import { documentSize, writeDocuments } from './cloud-conf/manifest-files.ts';
import type { Manifest } from './manifest.ts';

/** Type of a Secret whose content a ClusterResourceSet applies. */
export const resourceSetType = 'addons.cluster.x-k8s.io/resource-set';

/** Bytes of one Secret: the API server takes 1 MiB, and etcd no request of more than 1.5 MiB with all that is around it. */
export const secretLimit = 900 * 1024;

export interface ClusterResourceSet extends RenderedObject {
  readonly spec: {
    readonly clusterSelector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly strategy: 'Reconcile';
    readonly resources: readonly { readonly kind: 'Secret'; readonly name: string }[];
  };
}

/** What stands for the add-ons of one cluster in the management cluster. */
export interface AddonObjects {
  readonly secrets: readonly Secret[];
  readonly set: ClusterResourceSet;
}

interface Owner {
  readonly stackId: string;
  /** Of the Magnum cluster. */
  readonly uuid: string;
}

/** A Secret an add-on, all in one ClusterResourceSet, so that each can be seen, applied and replaced on its own. */
export function addonObjects({ stackId, uuid }: Owner, addons: readonly Addon[]): AddonObjects {
  const secrets = addons.flatMap(({ name, manifests }) =>
    files(manifests).map((text, index) => addonSecret(stackId, partName(name, index), text)),
  );
  const { apiVersion, kind } = resources.clusterResourceSet;
  const set: ClusterResourceSet = {
    apiVersion,
    kind,
    metadata: metadata(stackId, stackNames(stackId).addons),
    spec: {
      clusterSelector: { matchLabels: { [clusterUuidLabel]: uuid } },
      strategy: 'Reconcile',
      resources: secrets.map(({ metadata: { name } }) => ({ kind: 'Secret', name })),
    },
  };
  return { secrets, set };
}

function addonSecret(stackId: string, name: string, text: string): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: metadata(stackId, `${stackId}-${name}`),
    type: resourceSetType,
    data: { 'manifests.yaml': base64(text) },
  };
}

function metadata(stackId: string, name: string) {
  return { name, namespace: managementNamespace, labels: { [clusterNameLabel]: stackId, ...managedByLabel } };
}

/** An add-on that is too large for one Secret, as with thousands of StorageClasses, has several. */
function partName(addon: string, index: number): string {
  return index === 0 ? addon : `${addon}-${index + 1}`;
}

/** Manifests as files of no more than the limit. */
function files(manifests: readonly Manifest[]): string[] {
  const parts: Manifest[][] = [[]];
  let size = 0;
  for (const manifest of manifests) {
    const bytes = documentSize(manifest);
    if (size + bytes > secretLimit && size > 0) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(manifest);
    size += bytes;
  }
  return parts.map(writeDocuments);
}
