import type { V1Secret } from '@kubernetes/client-node';
import { type CloudConfigRecord, readCloudConfigRecord, serverGroupAnnotation } from '../render/cloud-config.ts';
import type { Cluster } from '../render/cluster.ts';
import type { ClusterClassSet } from '../render/cluster-class/cluster-class-set.ts';
import { clusterUuidLabel, managementNamespace } from '../render/metadata.ts';
import type { Secret } from '../render/rendered-object.ts';
import { stackNames } from '../render/stack-names.ts';
import type { CallOptions } from './caller.ts';
import type { KubernetesClient } from './client.ts';
import { isNotFound } from './errors.ts';
import type { JsonPatchOperation, Wire } from './kubernetes-object.ts';
import { classVariables, type LiveCluster, parseLiveCluster } from './live-cluster.ts';
import { resources, resourceTypeOf } from './resources.ts';
import { setAnnotations } from './set-annotations.ts';

const namespace = managementNamespace;

/** A Secret as it was read; a change of it is based on its version. */
export type LiveSecret = Secret & { readonly metadata: { readonly resourceVersion?: string } };

/** A Secret that came from the API server, which leaves out what is empty. */
export function liveSecret(secret: Wire<V1Secret>): LiveSecret {
  return { ...secret, data: secret.data ?? {} } as LiveSecret;
}

/** All reads and writes of the driver's objects. A caller that writes holds the cluster's Lease. */
export interface ClusterRepository {
  /** The Cluster of a Magnum cluster, by its name if that is known, else by its label; null where there is none. */
  findCluster(uuid: string, stackId: string | null): Promise<LiveCluster | null>;
  /**
   * UUID of the Magnum cluster whose cloud-config Secret or Cluster has a name; '' where it is nobody's that we know, null where
   * the name is free.
   */
  ownerOf(stackId: string): Promise<string | null>;
  /** The Secret with the cluster's clouds.yaml; null where there is none. */
  findCloudConfig(stackId: string): Promise<LiveSecret | null>;
  /**
   * Writes the Secret only where there is none: it claims the stack id.
   * @throws ConflictError AlreadyExists
   */
  createCloudConfig(secret: Secret): Promise<void>;
  /**
   * Replaces the content of the Secret in one write; annotations that the new one does not have stay, as the delete mark. Its
   * name never changes: another name in the templates would rebuild all machines.
   * @param live as it was read; null = it is lost, and created anew
   * @throws ConflictError where it was changed, or created, since
   */
  replaceCloudConfig(live: LiveSecret | null, wanted: Secret): Promise<LiveSecret>;
  /** Sets annotations of the Secret. @returns it as it is then. @throws ConflictError where it was changed since it was read */
  annotateCloudConfig(
    cloudConfig: LiveSecret,
    annotations: Readonly<Record<string, string>>,
    options?: CallOptions,
  ): Promise<LiveSecret>;
  /**
   * Adds a server group to the record of what must outlive the Cluster; a Secret of the original driver has none.
   * @throws ConflictError where the Secret was changed since it was read
   */
  recordServerGroup(cloudConfig: LiveSecret, group: { readonly name: string; readonly id: string }): Promise<void>;
  /** Takes server groups that are deleted from that record, by name. @throws ConflictError */
  forgetServerGroups(cloudConfig: LiveSecret, names: readonly string[]): Promise<void>;
  applySecret(secret: Secret): Promise<void>;
  /** `beforeWrite` runs between reading and deleting, and may throw to stop it; so it does for the next. */
  deleteCloudConfig(stackId: string, beforeWrite: () => void): Promise<void>;
  /** Deletes the cloud-config and certificate Secrets of a cluster that was not created after all. */
  deleteSecrets(stackId: string, beforeWrite: () => void): Promise<void>;
  /** Writes the class and its templates unless the class is there; its name stands for its content. */
  ensureClusterClass(set: ClusterClassSet): Promise<void>;
  /** Names of the variables of a class; empty where it is gone. */
  classVariables(className: string): Promise<string[]>;
  /** @returns it as it was stored. @throws ConflictError AlreadyExists, InvalidError where Cluster API refuses it */
  createCluster(cluster: Cluster): Promise<LiveCluster>;
  /** One JSON Patch on the version that was read. @returns the new version. @throws ConflictError, InvalidError */
  patchCluster(cluster: LiveCluster, operations: readonly JsonPatchOperation[]): Promise<LiveCluster>;
}

export function createClusterRepository(client: KubernetesClient): ClusterRepository {
  const annotateCloudConfig: ClusterRepository['annotateCloudConfig'] = async ({ metadata }, values, options) => {
    const { name, resourceVersion, annotations } = metadata;
    const patch = { operations: setAnnotations(annotations, values), resourceVersion, ...options };
    return liveSecret(await client.patch(resources.secret, { namespace, name }, patch));
  };
  const writeServerGroups = (cloudConfig: LiveSecret, groups: CloudConfigRecord['serverGroups']) =>
    annotateCloudConfig(cloudConfig, Object.fromEntries([serverGroupAnnotation(groups)]));
  return {
    annotateCloudConfig,

    async findCluster(uuid, stackId) {
      const named = stackId === null ? undefined : await client.find(resources.cluster, { namespace, name: stackId });
      if (named?.metadata?.labels?.[clusterUuidLabel] === uuid) return parseLiveCluster(named);
      const labelSelector = `${clusterUuidLabel}=${uuid}`;
      const [cluster] = await client.list(resources.cluster, { namespace, labelSelector });
      return cluster === undefined ? null : parseLiveCluster(cluster);
    },

    async ownerOf(stackId) {
      const [secret, cluster] = await Promise.all([
        client.find(resources.secret, { namespace, name: stackNames(stackId).cloudConfig }),
        client.find(resources.cluster, { namespace, name: stackId }),
      ]);
      const claim = cluster ?? secret;
      return claim === undefined ? null : (claim.metadata?.labels?.[clusterUuidLabel] ?? '');
    },

    async findCloudConfig(stackId) {
      const name = stackNames(stackId).cloudConfig;
      const secret = await client.find(resources.secret, { namespace, name });
      return secret === undefined ? null : liveSecret(secret);
    },

    async createCloudConfig(secret) {
      await client.create(resources.secret, secret);
    },

    async replaceCloudConfig(live, wanted) {
      if (live === null) return liveSecret(await client.create(resources.secret, wanted));
      const { name, resourceVersion, annotations, labels } = live.metadata;
      const operations: readonly JsonPatchOperation[] = [
        { op: 'add', path: '/data', value: wanted.data },
        { op: 'add', path: '/metadata/labels', value: { ...labels, ...wanted.metadata.labels } },
        ...setAnnotations(annotations, wanted.metadata.annotations ?? {}),
      ];
      return liveSecret(await client.patch(resources.secret, { namespace, name }, { operations, resourceVersion }));
    },

    async recordServerGroup(cloudConfig, group) {
      const record = readCloudConfigRecord(cloudConfig);
      if (record === null || record.serverGroups[group.name] === group.id) return;
      await writeServerGroups(cloudConfig, { ...record.serverGroups, [group.name]: group.id });
    },

    async forgetServerGroups(cloudConfig, names) {
      const recorded = Object.entries(readCloudConfigRecord(cloudConfig)?.serverGroups ?? {});
      const kept = recorded.filter(([name]) => !names.includes(name));
      if (kept.length < recorded.length) await writeServerGroups(cloudConfig, Object.fromEntries(kept));
    },

    async applySecret(secret) {
      await client.apply(resources.secret, secret, { force: true });
    },

    async deleteCloudConfig(stackId, beforeWrite) {
      await deleteSecret(client, stackNames(stackId).cloudConfig, beforeWrite);
    },

    async deleteSecrets(stackId, beforeWrite) {
      const { cloudConfig, certificates } = stackNames(stackId);
      // The claim goes last: whoever finds it cleans up after us.
      const names = [...Object.values(certificates), cloudConfig];
      for (const name of names) await deleteSecret(client, name, beforeWrite);
    },

    async ensureClusterClass(set) {
      if ((await client.find(resources.clusterClass, { namespace, name: set.name })) !== undefined) return;
      // In their order: the class comes last, so where it is there, its templates are.
      for (const object of set.objects) await client.apply(resourceTypeOf(object), object, { force: true });
    },

    async classVariables(className) {
      const object = await client.find(resources.clusterClass, { namespace, name: className });
      return object === undefined ? [] : classVariables(object);
    },

    async createCluster(cluster) {
      return parseLiveCluster(await client.create(resources.cluster, cluster));
    },

    async patchCluster(cluster, operations) {
      const { name, resourceVersion } = cluster.metadata;
      const patched = await client.patch(resources.cluster, { namespace, name }, { operations, resourceVersion });
      return parseLiveCluster(patched);
    },
  };
}

/** Only the very object that was read while the Lease was held: another process may have written a new one since. */
async function deleteSecret(client: KubernetesClient, name: string, beforeWrite: () => void): Promise<void> {
  const secret = await client.find(resources.secret, { namespace, name });
  if (secret === undefined) return;
  beforeWrite();
  const { uid, resourceVersion } = secret.metadata ?? {};
  try {
    await client.delete(resources.secret, { namespace, name }, { uid, resourceVersion });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
