import { setTimeout as sleep } from 'node:timers/promises';
import { resources } from '../../shared/kubernetes/resources.ts';
import { type BenchCluster, clusterMaker } from './bench-cluster.ts';
import { addresses, names } from './bench-machines.ts';
import { deleteObjects, writeObjects, writeStatus } from './bench-objects.ts';
import type { Measurement } from './measurement.ts';
import { openClusters } from './new-cluster.ts';
import { original } from './original.ts';
import { processUsage } from './process-usage.ts';
import { medianOf, percentile } from './samples.ts';
import type { WatchStage } from './watch-stage.ts';

const clusters = 200;
/** Milliseconds from one change of a cluster to the next. */
const period = 5_000;
/** Changes of each cluster; the first, which also warms up, does not count. */
const rounds = 7;
/** Milliseconds after the last change in which its report has to come. */
const patience = 5_000;

/** Clusters in progress at once, of which each changes now and then: watch → broker → functions → report. */
export async function measureMany(stage: WatchStage): Promise<Measurement[]> {
  const { api, local, functions, reports } = stage;
  const all = openClusters(clusters, 'rolling');
  await writeObjects(api, all.flatMap(await clusterMaker()));
  await local.source.resume();
  const warm = await change(stage, all, { first: 0, count: 1 });
  const { pid } = functions.get('status');
  const [before, reported] = [await processUsage(pid), reports.received.length];
  const changes = await change(stage, all, { first: 1, count: rounds - 1 });
  await sleep(patience);
  const after = await processUsage(pid);
  local.source.pause();
  await local.broker.idle();
  await deleteObjects(api);
  const latencies = latenciesOf(stage, changes);
  const computations = reports.received.slice(reported).filter(({ report }) => report.kind === 'status').length;
  const what = `${clusters} clusters in progress, each changes every ${period / 1000} s, change → status report`;
  const reference = `the original: up to ${original.poll.interval} s and more, with ${original.poll.duration} ms a cluster in turn`;
  return [
    { what: `${what}, p95`, value: percentile(latencies, 0.95), unit: 'ms', budget: 1_000, reference },
    { what: `${what}, median`, ...medianOf(latencies), unit: 'ms', budget: null },
    {
      what: 'changes that were never reported',
      value: unreported(latencies) + unreported(latenciesOf(stage, warm)),
      unit: '',
      budget: 0,
    },
    {
      what: 'status computations in a second of one core',
      value: computations / (after.processor - before.processor),
      unit: '',
      budget: null,
      reference: `the original: ${(1000 / original.poll.duration).toFixed(1)}`,
    },
  ];
}

/** When the write of each address was answered, by the address: no two changes have the same. */
type Changes = ReadonlyMap<string, number>;

/** Gives the control plane machine of each cluster a new address in each round, one cluster after the other. */
async function change(
  { api }: WatchStage,
  all: readonly BenchCluster[],
  { first, count }: { readonly first: number; readonly count: number },
): Promise<Changes> {
  const startedAt = performance.now();
  const answered = new Map<string, number>();
  const writes: Promise<void>[] = [];
  for (let number = 0; number < count * all.length; number += 1) {
    await sleep(Math.max(0, startedAt + (number * period) / all.length - performance.now()));
    const [index, round] = [number % all.length, first + Math.floor(number / all.length)];
    const address = `10.${round + 1}.${index >> 8}.${index & 255}`;
    const name = names.master(all[index]?.stackId ?? '');
    const write = writeStatus(api, { type: resources.machine, name }, { addresses: addresses(address) });
    writes.push(write.then(() => void answered.set(address, performance.now())));
  }
  await Promise.all(writes);
  return answered;
}

/** Milliseconds from each change to the first status report that shows it; infinite where there is none. */
function latenciesOf({ reports }: WatchStage, changes: Changes): number[] {
  const arrived = new Map<string, number>();
  for (const { at, report } of reports.received) {
    if (report.kind !== 'status') continue;
    const shown = report.status.nodegroups.flatMap((nodegroup) => nodegroup.node_addresses);
    for (const address of shown) if (!arrived.has(address)) arrived.set(address, at);
  }
  return Array.from(changes, ([address, answeredAt]) =>
    Math.max(0, (arrived.get(address) ?? Number.POSITIVE_INFINITY) - answeredAt),
  );
}

function unreported(latencies: readonly number[]): number {
  return latencies.filter((latency) => latency === Number.POSITIVE_INFINITY).length;
}
