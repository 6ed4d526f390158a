import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connectApi } from '../../env/kubernetes-api.ts';
import type { SimulatedOpenStack } from '../openstack/simulated-openstack.ts';
import { createWorkloadCluster, type WorkloadCluster } from '../workload/workload-cluster.ts';
import type { CapoContext } from './capo-context.ts';
import { createCapoQueues } from './capo-queues.ts';
import { createEventRecorder } from './event-recorder.ts';
import { FaultRules } from './fault-rules.ts';
import { SimulatedNova } from './simulated-nova.ts';
import { watchObjects } from './watch-objects.ts';
import { WorkloadClusters, type WorkloadClustersOptions } from './workload-clusters.ts';

export interface SimulatedCapoOptions {
  /** As test/env starts it. */
  readonly controlPlane: {
    readonly server: string;
    readonly caCertificate: string;
    readonly adminToken: string;
    readonly etcdUrl: string;
  };
  readonly cloud: SimulatedOpenStack;
  /** For the workload clusters; it is never removed. @default a new folder for temporary files */
  readonly directory?: string;
  readonly onProgress?: (line: string) => void;
  /** The only namespace that it looks at. @default all */
  readonly namespace?: string;
  /** Share of CAPO's own waits, which are 5 to 60 s. @default 0.1 */
  readonly pace?: number;
  /** Milliseconds from a server's BUILD to its ACTIVE. @default 1,000 */
  readonly serverBuildTime?: number;
  /** @default the real one of test/cloud/workload */
  readonly createWorkloadCluster?: WorkloadClustersOptions['create'];
}

/** Cluster API Provider OpenStack 0.14.4 and the virtual machines behind it, as far as others can see them. */
export interface SimulatedCapo {
  /** What goes wrong; `set` puts a rule in force and returns what removes it. */
  readonly faults: FaultRules;
  /** The cluster on the servers of that Cluster; undefined before its infrastructure and after its end. */
  workloadCluster(stackId: string): WorkloadCluster | undefined;
  stop(): Promise<void>;
}

/** Reconciles OpenStackClusters, OpenStackMachines and OpenStackServers of all namespaces until it is stopped. */
export async function startSimulatedCapo(options: SimulatedCapoOptions): Promise<SimulatedCapo> {
  const { controlPlane, cloud, onProgress = () => undefined, pace = 0.1 } = options;
  const { server, caCertificate, adminToken } = controlPlane;
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), 'simulated-capo-')));
  const stopping = new AbortController();
  const { signal } = stopping;
  const api = connectApi({ server, caCertificate, token: adminToken });
  const workloads = new WorkloadClusters({
    api,
    directory,
    managementEtcdUrl: controlPlane.etcdUrl,
    create: options.createWorkloadCluster ?? createWorkloadCluster,
    onProgress,
    signal,
  });
  const faults = new FaultRules(() => {
    nova.settle();
    queues.addAll();
  });
  const nova = new SimulatedNova({
    state: cloud.state,
    faults,
    workloads,
    buildTime: options.serverBuildTime ?? 1_000,
  });
  const events = createEventRecorder(api, (error) => signal.aborted || onProgress(`an event was lost: ${error}`));
  const environment: Omit<CapoContext, 'stores'> = {
    api,
    state: cloud.state,
    identity: cloud.identity,
    cloudUrl: cloud.authUrl.replace(/\/identity$/, ''),
    events,
    faults,
    nova,
    workloads,
    signal,
    wait: (seconds) => seconds * 1_000 * pace,
    sleep: (seconds) => delay(seconds * 1_000 * pace, undefined, { signal }),
  };
  const queues = createCapoQueues(environment, (line) => signal.aborted || onProgress(line));
  const connection = { api, server, caCertificate, adminToken, namespace: options.namespace ?? '', signal };
  const watches = queues.watch((store) => watchObjects(store, connection));
  return {
    faults,
    workloadCluster: (stackId) => workloads.get(stackId),
    async stop() {
      stopping.abort();
      nova.stop();
      await Promise.all([queues.stop(), ...watches]);
      await workloads.stopAll();
      await events.flush();
      api.close();
      if (options.directory === undefined) await rm(directory, { recursive: true, force: true });
    },
  };
}
