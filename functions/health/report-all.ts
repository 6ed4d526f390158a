import type { EventSink } from '../../shared/host/event-sink.ts';
import type { CustomObject } from '../../shared/kubernetes/kubernetes-object.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { clusterNameLabel, clusterUuidLabel, managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { judgedParts } from '../../shared/status/derive-health.ts';
import { observeResync } from '../../shared/telemetry/observe-resync.ts';
import type { Environment } from './environment.ts';
import { reportHealth } from './report-health.ts';

/** Clusters that are judged and reported at once. */
const workers = 8;

/**
 * Reports every cluster to the sink. Machines are read in one list rather than one a cluster: the API server would look
 * through all of them each time. What happens to one report does not concern the others.
 * @throws KubernetesError; SinkError where not one report was taken
 */
export async function reportAll(environment: Environment): Promise<void> {
  const { sink, log } = environment;
  if (sink === undefined) log.warn({}, 'nobody takes the reports on all clusters: K_SINK is not set');
  else await observeResync(() => reportTo(sink, environment));
}

async function reportTo(sink: EventSink, environment: Environment): Promise<{ reported: number; failed: number }> {
  const { kubernetes, signal, log } = environment;
  const time = environment.now();
  const machines = await machinesByCluster(environment);
  const report = async (cluster: CustomObject) => {
    const stackId = cluster.metadata?.name ?? '';
    const ofCluster = machines.get(stackId) ?? [];
    const event = await reportHealth(environment, { stackId, cluster, machines: ofCluster, uuid: null, time });
    if (event !== undefined) await sink.post(event, signal);
  };
  const failures: unknown[] = [];
  let reported = 0;
  const clusters = kubernetes.each(resources.cluster, { namespace, labelSelector: clusterUuidLabel, signal });
  await forEach(clusters, async (cluster) => {
    signal.throwIfAborted();
    await report(cluster).then(
      () => {
        reported += 1;
      },
      (error: unknown) => failures.push(error),
    );
  });
  const counts = { reported, failed: failures.length };
  if (failures.length === 0) return counts;
  log.warn({ err: failures[0], ...counts }, 'the health of some clusters was not reported');
  if (reported === 0) throw failures[0];
  return counts;
}

async function machinesByCluster({ kubernetes, signal }: Environment): Promise<Map<string, CustomObject[]>> {
  const machines = new Map<string, CustomObject[]>();
  for await (const object of kubernetes.each(resources.machine, { namespace, signal })) {
    const stackId = object.metadata?.labels?.[clusterNameLabel] ?? '';
    const ofCluster = machines.get(stackId) ?? [];
    ofCluster.push(judgedParts(object));
    machines.set(stackId, ofCluster);
  }
  return machines;
}

/** Takes the next item only when one of the workers is free, so that no more than a page is in memory. */
async function forEach<Item>(items: AsyncIterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  const worker = async () => {
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}
