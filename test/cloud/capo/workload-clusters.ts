import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { resources } from '../../../shared/kubernetes/resources.ts';
import type { KubernetesApi } from '../../env/kubernetes-api.ts';
import type {
  KeyPair,
  SimulatedMachine,
  WorkloadCluster,
  WorkloadClusterOptions,
} from '../workload/workload-cluster.ts';
import { pathOf } from './infrastructure-objects.ts';

/** Milliseconds before a machine that did not come up is started again. */
const bootPause = 2_000;

/** What a server boots with. */
export type ServerBoot = SimulatedMachine;

export interface WorkloadClustersOptions {
  readonly api: KubernetesApi;
  readonly directory: string;
  readonly managementEtcdUrl: string;
  readonly create: (options: WorkloadClusterOptions) => Promise<WorkloadCluster>;
  readonly onProgress: (line: string) => void;
  readonly signal: AbortSignal;
}

/** The clusters that run on the servers of the simulated cloud, one a Cluster, each at its own pace. */
export class WorkloadClusters {
  readonly #options: WorkloadClustersOptions;
  readonly #creations = new Map<string, Promise<WorkloadCluster>>();
  readonly #clusters = new Map<string, WorkloadCluster>();
  /** The last work of each machine: what comes next waits for it. */
  readonly #works = new Map<string, Promise<void>>();
  readonly #off = new Set<string>();

  constructor(options: WorkloadClustersOptions) {
    this.#options = options;
  }

  get(name: string): WorkloadCluster | undefined {
    return this.#clusters.get(name);
  }

  /** The cluster of that name; made where there is none. @throws ApiError while one of its authorities is missing */
  ensure(namespace: string, name: string): Promise<WorkloadCluster> {
    const created =
      this.#creations.get(name) ??
      this.#create(namespace, name).catch((error: unknown) => {
        this.#creations.delete(name);
        throw error;
      });
    this.#creations.set(name, created);
    return created;
  }

  /** Starts a server's kubelet, again and again until it is up or the server is gone. */
  boot(cluster: string, machine: ServerBoot): void {
    this.#inOrder(cluster, machine.name, 'boot', async (workload) => {
      for (;;) {
        if (this.#off.has(`${cluster}/${machine.name}`) || this.#options.signal.aborted) return;
        try {
          return await workload.boot(machine);
        } catch (error) {
          this.#tell(cluster, machine.name, 'did not boot', error);
          await delay(bootPause, undefined, { signal: this.#options.signal });
        }
      }
    });
  }

  kill(cluster: string, machine: string): void {
    this.#inOrder(cluster, machine, 'kill', (workload) => workload.kill(machine));
  }

  revive(cluster: string, machine: string): void {
    this.#inOrder(cluster, machine, 'revive', (workload) => workload.revive(machine));
  }

  powerOff(cluster: string, machine: string): void {
    this.#off.add(`${cluster}/${machine}`);
    this.#inOrder(cluster, machine, 'power off', (workload) => workload.powerOff(machine));
  }

  async stop(name: string): Promise<void> {
    const workload = await this.#creations.get(name)?.catch(() => undefined);
    this.#creations.delete(name);
    this.#clusters.delete(name);
    await workload?.stop();
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#creations.keys()].map((name) => this.stop(name)));
  }

  async #create(namespace: string, name: string): Promise<WorkloadCluster> {
    const { api, directory, managementEtcdUrl, create, onProgress } = this.#options;
    const pair = (suffix: string) => readKeyPair(api, namespace, `${name}-${suffix}`);
    const [ca, etcd, frontProxy, serviceAccount] = await Promise.all([
      pair('ca'),
      pair('etcd'),
      pair('proxy'),
      pair('sa'),
    ]);
    const workload = await create({
      name,
      authorities: { ca, etcd, frontProxy, serviceAccount },
      directory: join(directory, name),
      managementEtcdUrl,
      onProgress,
    });
    this.#clusters.set(name, workload);
    return workload;
  }

  #inOrder(cluster: string, machine: string, what: string, work: (workload: WorkloadCluster) => Promise<void>): void {
    const key = `${cluster}/${machine}`;
    const before = this.#works.get(key) ?? Promise.resolve();
    const next = before.then(async () => {
      const workload = this.#clusters.get(cluster);
      if (workload === undefined || this.#options.signal.aborted) return;
      await work(workload).catch((error: unknown) => this.#tell(cluster, machine, `did not ${what}`, error));
    });
    this.#works.set(key, next);
  }

  #tell(cluster: string, machine: string, what: string, error: unknown): void {
    if (this.#options.signal.aborted) return;
    const reason = error instanceof Error ? error.message : String(error);
    this.#options.onProgress(`${cluster}: the machine ${machine} ${what}: ${reason}`);
  }
}

const secret = z.object({ data: z.object({ 'tls.crt': z.base64(), 'tls.key': z.base64() }) });

async function readKeyPair(api: KubernetesApi, namespace: string, name: string): Promise<KeyPair> {
  const { data } = secret.parse(await api.call('GET', pathOf({ ...resources.secret }, namespace, name)));
  const decoded = (value: string) => Buffer.from(value, 'base64').toString();
  return { certificate: decoded(data['tls.crt']), privateKey: decoded(data['tls.key']) };
}
