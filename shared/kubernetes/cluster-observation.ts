import type { V1Secret } from '@kubernetes/client-node';
import { createServerFaultReader, type ServerFaultReader, type ServerFaults } from '../cloud/server-faults.ts';
import { readCloudConfigRecord, readDeleteRequest } from '../render/cloud-config.ts';
import { clusterNameLabel, clusterUuidLabel, managementNamespace as namespace } from '../render/metadata.ts';
import { stackNames } from '../render/stack-names.ts';
import { furtherNeeds } from '../status/further-needs.ts';
import type { FaultyServer, Need, RotationCircumstances } from '../status/needs.ts';
import type { Observed, ObservedAddons, ObservedCloudConfig } from '../status/observed.ts';
import type { ObservedRotation } from '../status/rotation.ts';
import type { KubernetesClient } from './client.ts';
import { KubernetesError } from './errors.ts';
import { findListed } from './find-listed.ts';
import type { KubernetesObject, Wire } from './kubernetes-object.ts';
import { type ResourceType, resources } from './resources.ts';
import { observeRotation } from './rotation-observation.ts';

/** First what decides, then what may explain it, then what Nova or Events add to that. */
const maximumRounds = 3;
/** Machines a call; a cluster that has more takes several. */
const pageSize = 500;

export interface ObservationOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called for each request to the cloud. */
  readonly onCloudRequest?: (() => void) | undefined;
  /** @default the system's clock */
  readonly now?: (() => Date) | undefined;
  /** @default one for the whole process */
  readonly serverFaults?: ServerFaultReader | undefined;
}

const processServerFaults = createServerFaultReader();

/**
 * Reads of a cluster what its status needs: three calls when nothing goes on, seldom more than four otherwise, eight at most.
 * What only explains a delay may be missing.
 * @throws KubernetesError where an object cannot be read that decides the state
 */
export async function observeCluster(
  client: KubernetesClient,
  stackId: string,
  options: ObservationOptions = {},
): Promise<Observed> {
  const observation = new ClusterObservation(client, stackId, options);
  let observed = await observation.begin();
  for (let round = 1; round <= maximumRounds; round += 1) {
    const needs = furtherNeeds(observed, options.now?.() ?? new Date());
    if (needs.length === 0) break;
    const parts = await Promise.all(needs.map((need) => observation.read(need)));
    for (const part of parts) observed = { ...observed, ...part };
  }
  return observed;
}

/** The reads of one observation; it remembers the Secret, which serves twice. */
class ClusterObservation {
  readonly #client: KubernetesClient;
  readonly #stackId: string;
  readonly #options: ObservationOptions;
  #secret: Promise<Wire<V1Secret> | undefined> | undefined;

  constructor(client: KubernetesClient, stackId: string, options: ObservationOptions) {
    this.#client = client;
    this.#stackId = stackId;
    this.#options = options;
  }

  /**
   * The Cluster comes before what belongs to it: so no machine deployment is older than the condition that says it has been
   * brought up to date.
   */
  async begin(): Promise<Observed> {
    const cluster = (await this.#findListed(resources.cluster, this.#stackId)) ?? null;
    const nothing = { stackId: this.#stackId, cluster, machineDeployments: [], machines: [] };
    if (cluster === null) return nothing;
    const [machineDeployments, machines] = await Promise.all([
      this.#list(resources.machineDeployment),
      this.#list(resources.machine),
    ]);
    return { ...nothing, machineDeployments, machines };
  }

  async read(need: Need): Promise<Partial<Observed>> {
    switch (need.kind) {
      case 'controlPlane':
        return { controlPlane: (await this.#findListed(resources.kubeadmControlPlane, need.name)) ?? null };
      case 'addons':
        return { addons: await this.#addons() };
      case 'cloudConfig':
        return { cloudConfig: await this.#cloudConfig() };
      case 'rotation':
        return { rotation: await this.#rotation(need) };
      case 'openStackCluster':
        return { openStackCluster: (await this.#detail(this.#find(resources.openStackCluster, need.name))) ?? null };
      case 'openStackServers':
        return { openStackServers: (await this.#detail(this.#list(resources.openStackServer))) ?? [] };
      case 'openStackMachines':
        return { openStackMachines: (await this.#detail(this.#list(resources.openStackMachine))) ?? [] };
      case 'events':
        return { events: (await this.#detail(this.#events(need.name))) ?? [] };
      case 'serverFaults':
        return { serverFaults: await this.#serverFaults(need.servers) };
    }
  }

  #find<T extends KubernetesObject>(type: ResourceType<T>, name: string): Promise<T | undefined> {
    return this.#client.find(type, { namespace, name }, { signal: this.#options.signal });
  }

  #findListed<T extends KubernetesObject>(type: ResourceType<T>, name: string): Promise<T | undefined> {
    return findListed(this.#client, type, { namespace, name, signal: this.#options.signal });
  }

  #list<T extends KubernetesObject>(type: ResourceType<T>): Promise<readonly T[]> {
    const labelSelector = `${clusterNameLabel}=${this.#stackId}`;
    return this.#client.list(type, { namespace, labelSelector, pageSize, signal: this.#options.signal });
  }

  #events(name: string) {
    const fieldSelector = `involvedObject.name=${name}`;
    return this.#client.list(resources.event, { namespace, fieldSelector, signal: this.#options.signal });
  }

  /** What only explains: without the right to read it, or in time, the explanation is missing. */
  async #detail<T>(reading: Promise<T>): Promise<T | undefined> {
    try {
      return await reading;
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      if (error instanceof KubernetesError) return undefined;
      throw error;
    }
  }

  /** The binding bears the Cluster's name (clusterresourceset_controller.go). */
  async #addons(): Promise<ObservedAddons | null> {
    const [resourceSet, binding] = await Promise.all([
      this.#find(resources.clusterResourceSet, stackNames(this.#stackId).addons),
      this.#find(resources.clusterResourceSetBinding, this.#stackId),
    ]);
    return resourceSet === undefined ? null : { resourceSet, binding: binding ?? null };
  }

  async #cloudConfig(): Promise<ObservedCloudConfig | null> {
    const secret = await this.#findSecret();
    if (secret === undefined) return null;
    return {
      uuid: secret.metadata?.labels?.[clusterUuidLabel] ?? null,
      record: readCloudConfigRecord(secret),
      deleteRequested: readDeleteRequest(secret),
      created: secret.metadata?.creationTimestamp ?? null,
    };
  }

  async #rotation({ isOverdue, isInitialized }: RotationCircumstances): Promise<ObservedRotation> {
    const { signal, onCloudRequest } = this.#options;
    const secret = await this.#findSecret();
    const circumstances = { isOverdue, isInitialized, signal, onCloudRequest };
    return observeRotation(this.#client, { stackId: this.#stackId, secret, ...circumstances });
  }

  async #serverFaults(servers: readonly FaultyServer[]): Promise<ServerFaults> {
    const { onCloudRequest, now, serverFaults } = this.#options;
    const reader = serverFaults ?? processServerFaults;
    const secretName = stackNames(this.#stackId).cloudConfig;
    return reader.read({
      secret: async () => {
        const secret = await this.#detail(this.#findSecret());
        return secret === undefined ? null : { metadata: { name: secretName }, data: secret.data ?? {} };
      },
      servers,
      now: now?.() ?? new Date(),
      onRequest: onCloudRequest,
    });
  }

  #findSecret(): Promise<Wire<V1Secret> | undefined> {
    this.#secret ??= this.#find(resources.secret, stackNames(this.#stackId).cloudConfig);
    return this.#secret;
  }
}
