import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { type SampleCluster, sampleObjects } from '../../functions/status/testing/sample-cluster.ts';
import { buildFunctions } from '../../scripts/build.ts';
import { createKubernetesClient, type KubernetesClient } from '../../shared/kubernetes/client.ts';
import { objectPath } from '../../shared/kubernetes/object-path.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { createDefinitions } from '../env/api-server-setup.ts';
import { resolveAssets } from '../env/assets.ts';
import { type ControlPlane, startControlPlane } from '../env/control-plane.ts';
import { readDefinitions } from '../env/control-plane-run.ts';
import { connectApi, type KubernetesApi } from '../env/kubernetes-api.ts';
import { grantFunctionAccess } from '../functions/function-access.ts';
import { type FunctionProcess, type FunctionProcessOptions, startFunction } from '../functions/function-process.ts';
import { type EventAnswer, sendEvent } from '../functions/send-event.ts';
import { type RecordingSink, startRecordingSink } from './recording-sink.ts';

/** The status function, with the rights of knative/, on a real API server where nothing else changes the Clusters. */
export interface StatusStage {
  readonly controlPlane: ControlPlane;
  readonly kubernetes: KubernetesClient;
  readonly sink: RecordingSink;
  readonly function: FunctionProcess;
  /** Writes the objects of a cluster as Cluster API would. */
  putCluster(cluster: SampleCluster): Promise<void>;
  /** Delivers an event as a broker does, once. */
  deliver(event: object, url?: string): Promise<EventAnswer>;
  /** Another process of the function. */
  startAnother(options?: Partial<FunctionProcessOptions>): Promise<FunctionProcess>;
  stop(): Promise<void>;
}

export async function startStatusStage(): Promise<StatusStage> {
  const controlPlane = await startControlPlane({ managers: false });
  const { server, caCertificate, adminToken } = controlPlane;
  const api = connectApi({ server, caCertificate, token: adminToken });
  const kubernetes = createKubernetesClient({ server, caCertificate, token: async () => adminToken });
  const directory = await mkdtemp(join(tmpdir(), 'magnum-status-'));
  const [sink, access] = await Promise.all([
    startRecordingSink(),
    grantFunctionAccess(api),
    serveClusterApi(api),
    buildFunctions(directory),
  ]);
  const processes: FunctionProcess[] = [];
  const bundle = join(directory, 'status.cjs');
  const token = access.tokens['status'] ?? '';
  const startAnother = async (options: Partial<FunctionProcessOptions> = {}) => {
    const variables = { K_SINK: sink.url };
    const started = await startFunction({ bundle, server, caCertificate, token, variables, ...options });
    processes.push(started);
    return started;
  };
  const main = await startAnother();
  return {
    controlPlane,
    kubernetes,
    sink,
    function: main,
    putCluster: (cluster) => putCluster({ api, kubernetes }, cluster),
    deliver: (event, url = main.url) => sendEvent(url, event),
    startAnother,
    async stop() {
      await Promise.all(processes.map((one) => one.stop()));
      await sink.stop();
      kubernetes.close();
      api.close();
      await controlPlane.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Cluster API's kinds without its webhooks: only the version that is stored can be read and written. */
async function serveClusterApi(api: KubernetesApi): Promise<void> {
  const { clusterApi, capo } = await readDefinitions(await resolveAssets({ names: ['cluster-api'] }));
  await createDefinitions(api, [...clusterApi.definitions, ...capo.definitions], AbortSignal.timeout(60_000));
}

interface Writer {
  readonly api: KubernetesApi;
  readonly kubernetes: KubernetesClient;
}

async function putCluster({ api, kubernetes }: Writer, cluster: SampleCluster): Promise<void> {
  const write = async ([type, object]: ReturnType<typeof sampleObjects>[number]) => {
    const { status, ...rest } = object;
    await kubernetes.create(type, rest);
    const path = objectPath(type, { namespace, name: object.metadata?.name ?? '' });
    await api.call('PATCH', `${path}/status`, { status });
  };
  await Promise.all(sampleObjects(cluster).map(write));
}

const annotated = z.looseObject({
  metadata: z.looseObject({ annotations: z.record(z.string(), z.string()).default({}), resourceVersion: z.string() }),
});

/** Annotations and version of a Cluster as it is now. */
export async function clusterMetadata(kubernetes: KubernetesClient, stackId: string) {
  return annotated.parse(await kubernetes.get(resources.cluster, { namespace, name: stackId })).metadata;
}
