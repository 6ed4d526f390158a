import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { resources } from '../../shared/kubernetes/resources.ts';
import { waitFor } from '../env/wait-for.ts';
import type { FunctionProcess } from '../functions/function-process.ts';
import { callsInAuditLog } from './audit-log.ts';
import { type BenchCluster, clusterMaker } from './bench-cluster.ts';
import { writeObjects } from './bench-objects.ts';
import { growthMeasurements, type Sample } from './growth-measurements.ts';
import { startLimitedStatus } from './limited-status.ts';
import type { Measurement, Section } from './measurement.ts';
import { completedClusters } from './new-cluster.ts';
import { original } from './original.ts';
import { changeOf, pingEvent, post } from './post-change.ts';
import { forgetPeak, processUsage } from './process-usage.ts';
import type { WatchStage } from './watch-stage.ts';

/** Clusters at which a resync is measured, the last with the budgets. */
const sizes = [10, 100, 1_000] as const;
/** Status events at each size, of as many clusters. */
const events = 10;
/** Resyncs until every cluster must have been reported and recorded. */
const mostFirstResyncs = 5;
/** Milliseconds until the events of a cluster are no longer gathered. */
const quiet = 1_500;

/** What a resync of clusters takes of which there is nothing new. */
interface Resync {
  readonly clusters: number;
  /** Milliseconds. */
  readonly duration: number;
  readonly calls: number;
  /** Seconds of the function's processor time. */
  readonly processor: number;
  /** MB: what was resident before it, and the most during it. */
  readonly resident: number;
  readonly peak: number;
  /** Of status events while there are as many clusters. */
  readonly events: readonly Sample[];
  /** A sentence on the memory that the function may have. */
  readonly note: string;
}

/** The last measurement of a stage: its clusters stay, since deleting thousands of objects takes longer than a call may. */
export async function measureResync(stage: WatchStage, onProgress: (line: string) => void): Promise<Section> {
  const resyncs: Resync[] = [];
  for (const clusters of sizes) {
    onProgress(`a resync of ${clusters} clusters`);
    resyncs.push(await resyncOf(stage, { add: clusters - (resyncs.at(-1)?.clusters ?? 0), clusters }));
  }
  const health = await timeOfHealth(stage);
  const [few, many] = resyncs.slice(-2);
  if (few === undefined || many === undefined) throw new Error('There are several sizes.');
  const measurements = [
    ...asMeasurements(few, many),
    { what: `health of ${many.clusters} clusters, all reported`, value: health / 1000, unit: 's', budget: 60 },
    ...growthMeasurements({
      what: 'resync',
      of: 'clusters',
      samples: resyncs.map(({ clusters: count, duration, calls }) => ({ count, duration, calls })),
    }),
    ...growthMeasurements({
      what: 'status event',
      of: 'clusters',
      samples: resyncs.flatMap((resync) => resync.events),
    }),
  ];
  return { measurements, notes: [many.note] };
}

function asMeasurements(few: Resync, many: Resync): Measurement[] {
  const all = `resync of ${many.clusters} clusters`;
  const polls = (many.clusters * original.poll.duration) / 1000;
  return [
    {
      what: all,
      value: many.duration / 1000,
      unit: 's',
      budget: 60,
      reference: `the original: ${polls} s for a round of polls`,
    },
    {
      what: `${all}, Kubernetes calls a cluster`,
      value: many.calls / many.clusters,
      unit: '',
      budget: 4,
      reference: `the original: ${original.poll.kubernetesCalls} of a poll`,
    },
    {
      what: `time of one cluster, of ${many.clusters} / of ${few.clusters}`,
      value: ratio(many, few, 'duration'),
      unit: '×',
      budget: 1.5,
    },
    { what: 'processor time of one cluster, the same', value: ratio(many, few, 'processor'), unit: '×', budget: 1.5 },
    {
      what: `${all}, peak memory`,
      value: many.peak,
      unit: 'MB',
      budget: null,
      reference: `${many.resident.toFixed(0)} MB before it`,
    },
    {
      what: `peak memory, ${many.clusters} / ${few.clusters} clusters`,
      value: many.peak / few.peak,
      unit: '×',
      budget: 1.5,
    },
  ];
}

/** Milliseconds until the sink has the health of every cluster. */
async function timeOfHealth({ functions }: WatchStage): Promise<number> {
  const startedAt = performance.now();
  await post(functions.get('health').url, pingEvent());
  return performance.now() - startedAt;
}

function ratio(many: Resync, few: Resync, what: 'duration' | 'processor'): number {
  return many[what] / many.clusters / (few[what] / few.clusters);
}

interface ResyncSize {
  /** Clusters that are written first. */
  readonly add: number;
  readonly clusters: number;
}

async function resyncOf(stage: WatchStage, { add, clusters }: ResyncSize): Promise<Resync> {
  const { api, functions } = stage;
  const added = completedClusters(add);
  await writeObjects(api, added.flatMap(await clusterMaker()));
  await reportAll(functions.get('status'), clusters);
  // A process of its own for each size: what another one has left in the heap says nothing.
  const status = await startLimitedStatus(stage);
  const resync = await usageOfResync(stage, { status: status.process, added, clusters }).finally(() => status.stop());
  return { ...resync, note: status.note };
}

interface ResyncSubject {
  readonly status: FunctionProcess;
  /** The clusters that no resync has seen yet. */
  readonly added: readonly BenchCluster[];
  /** Of all. */
  readonly clusters: number;
}

async function usageOfResync(
  stage: WatchStage,
  { status, added, clusters }: ResyncSubject,
): Promise<Omit<Resync, 'note'>> {
  const { controlPlane } = stage;
  await post(status.url, changeOf(resources.cluster, added[0]?.stackId ?? ''));
  await sleep(quiet);
  const calls = await callsInAuditLog(controlPlane.auditLogPath, 'status');
  await forgetPeak(status.pid);
  const before = await processUsage(status.pid);
  const startedAt = performance.now();
  const { known } = await resyncOnce(status);
  const duration = performance.now() - startedAt;
  const after = await processUsage(status.pid);
  if (known !== clusters) throw new Error(`Of ${clusters} clusters only ${known} were as recorded.`);
  const { work } = await callsInAuditLog(controlPlane.auditLogPath, 'status');
  return {
    clusters,
    duration,
    calls: work - calls.work,
    processor: after.processor - before.processor,
    resident: before.resident,
    peak: after.peak,
    events: await costOfEvents(stage, { status, added, clusters }),
  };
}

/** A status event costs the same, however many clusters there are. */
async function costOfEvents(
  { controlPlane }: WatchStage,
  { status, added, clusters: count }: ResyncSubject,
): Promise<Sample[]> {
  const some = added.slice(0, events);
  const { url } = status;
  await sleep(quiet);
  const before = await callsInAuditLog(controlPlane.auditLogPath, 'status');
  const durations: number[] = [];
  for (const { stackId } of some) {
    const startedAt = performance.now();
    await post(url, changeOf(resources.cluster, stackId));
    durations.push(performance.now() - startedAt);
  }
  const after = await callsInAuditLog(controlPlane.auditLogPath, 'status');
  const calls = (after.work - before.work) / some.length;
  return durations.map((duration) => ({ count, duration, calls }));
}

/** Lets every cluster be reported and recorded. */
async function reportAll(status: FunctionProcess, clusters: number): Promise<void> {
  for (let attempt = 1; attempt <= mostFirstResyncs; attempt += 1) {
    const { known } = await resyncOnce(status);
    if (known === clusters) return;
  }
  throw new Error(`After ${mostFirstResyncs} resyncs not all clusters are recorded.`);
}

const summaryText = 'all clusters were looked at again';
const summary = z.object({ msg: z.literal(summaryText), known: z.int() });

/** @returns what the function's log says of it, which may come after its answer */
async function resyncOnce({ url, logLines }: FunctionProcess): Promise<z.infer<typeof summary>> {
  const seen = logLines.length;
  await post(url, pingEvent());
  const read = async () => {
    const found = logLines.slice(seen).find((each) => each.includes(summaryText));
    return summary.parse(JSON.parse(found ?? '{}'));
  };
  return waitFor(read, { what: 'the summary of a resync', timeout: 10_000 });
}
