import { setTimeout as sleep } from 'node:timers/promises';
import { resources } from '../../shared/kubernetes/resources.ts';
import { callsInAuditLog } from './audit-log.ts';
import { type BenchCluster, clusterMaker } from './bench-cluster.ts';
import { deleteObjects, writeObjects } from './bench-objects.ts';
import { EventLoad } from './event-load.ts';
import { type LimitedStatus, startLimitedStatus } from './limited-status.ts';
import type { Measurement, Section } from './measurement.ts';
import { completedClusters } from './new-cluster.ts';
import { original } from './original.ts';
import { changeOf } from './post-change.ts';
import { processUsage } from './process-usage.ts';
import { createPinning, type Pinning } from './processor-pinning.ts';
import { median, medianOf, percentile } from './samples.ts';
import type { WatchStage } from './watch-stage.ts';

/** So many that none gets a second event within the time in which those of a cluster are gathered. */
const clusters = 400;
/** Events that are sent one after the other. */
const single = 200;
/** Milliseconds in which events are counted, and how often; those of a first round, which warms up, are not. */
const round = { duration: 4_000, count: 5 } as const;
/** Senders at once, and events that each sends at once, all of one cluster. */
const loads = {
  many: { senders: 16, burst: 1 },
  bursts: { senders: 60, burst: 50 },
} as const;
type LoadShape = (typeof loads)[keyof typeof loads];

/** How many events the status function answers on one processor, of clusters of which there is nothing new. */
export async function measureThroughput(stage: WatchStage, onProgress: (line: string) => void): Promise<Section> {
  const all = completedClusters(clusters);
  await writeObjects(stage.api, all.flatMap(await clusterMaker()));
  const pinning = await createPinning();
  const status = await startLimitedStatus(stage, pinning);
  const load = new EventLoad(status.process.url);
  try {
    await pinning?.keepAway([process.pid, ...Object.values(stage.controlPlane.pids)]);
    return await measure({ stage, all, status, load, onProgress }, pinning);
  } finally {
    await pinning?.release();
    load.close();
    await status.stop();
    await deleteObjects(stage.api);
  }
}

interface Subject {
  readonly stage: WatchStage;
  readonly all: readonly BenchCluster[];
  readonly status: LimitedStatus;
  readonly load: EventLoad;
  readonly onProgress: (line: string) => void;
}

async function measure(subject: Subject, pinning: Pinning | undefined): Promise<Section> {
  const { onProgress } = subject;
  const latencies = await oneByOne(subject);
  onProgress('events of many clusters');
  const many = await phase(subject, loads.many);
  onProgress('bursts of events of single clusters');
  const bursts = await phase(subject, loads.bursts);
  const reference = `the original: ${original.poll.duration} ms`;
  const { senders, burst } = loads.bursts;
  return {
    measurements: [
      { what: 'status event → report, one at a time', ...medianOf(latencies), unit: 'ms', budget: null, reference },
      {
        what: 'status event → report, one at a time, p95',
        value: percentile(latencies, 0.95),
        unit: 'ms',
        budget: null,
      },
      ...asMeasurements(`events of many clusters, ${loads.many.senders} at once`, many),
      ...asMeasurements(`bursts of ${burst} events of one cluster, of ${senders} clusters at once`, bursts),
    ],
    notes: [
      pinning === undefined
        ? 'The function shared its processors with the API server and the sender: there is one alone, or no taskset.'
        : 'The function had one processor for itself; the API server, etcd and the sender shared the others, and limit the rate while the function waits for them.',
      subject.status.note,
      'A burst waits on purpose: events of a cluster are gathered for 0.8 s.',
    ],
  };
}

async function oneByOne({ all, load }: Subject): Promise<number[]> {
  const latencies: number[] = [];
  for (const cluster of all) await load.send(change(cluster));
  for (const cluster of all.slice(0, single)) latencies.push((await load.send(change(cluster))).latency);
  return latencies;
}

function change({ stackId }: BenchCluster) {
  return changeOf(resources.cluster, stackId);
}

interface Phase {
  /** By round. */
  readonly rates: readonly number[];
  /** Share of a processor that the function used, by round. */
  readonly processor: readonly number[];
  readonly latencies: readonly number[];
  readonly callsPerEvent: number;
}

/** Sends for some rounds without a break, and counts what was answered in each. */
async function phase(subject: Subject, shape: LoadShape): Promise<Phase> {
  const { stage, status } = subject;
  const { auditLogPath } = stage.controlPlane;
  const before = await callsInAuditLog(auditLogPath, 'status');
  const sending = new AbortController();
  const answered: { readonly at: number; readonly latency: number }[] = [];
  const senders = startSenders(subject, shape, { signal: sending.signal, answered });
  const marks: { readonly at: number; readonly processor: number }[] = [];
  for (let number = 0; number <= round.count; number += 1) {
    await Promise.race([sleep(round.duration), senders]);
    marks.push({ at: performance.now(), processor: (await processUsage(status.process.pid)).processor });
  }
  sending.abort();
  await senders;
  const after = await callsInAuditLog(auditLogPath, 'status');
  const rounds = marks.slice(1).map((end, index) => {
    const begin = marks[index] ?? end;
    const seconds = (end.at - begin.at) / 1000;
    const latencies = answered.filter(({ at }) => at > begin.at && at <= end.at).map(({ latency }) => latency);
    return { rate: latencies.length / seconds, processor: (end.processor - begin.processor) / seconds, latencies };
  });
  return {
    rates: rounds.map(({ rate }) => rate),
    processor: rounds.map(({ processor }) => processor),
    latencies: rounds.flatMap(({ latencies }) => latencies),
    callsPerEvent: (after.work - before.work) / answered.length,
  };
}

interface Sending {
  readonly signal: AbortSignal;
  /** Gets each answer. */
  readonly answered: { readonly at: number; readonly latency: number }[];
}

/** Each sender takes the cluster that waits longest, sends its burst and waits for all answers. */
async function startSenders(
  { all, load }: Subject,
  { senders, burst }: LoadShape,
  { signal, answered }: Sending,
): Promise<void> {
  const waiting = [...all];
  const send = async (cluster: BenchCluster) => {
    const { latency } = await load.send(change(cluster));
    answered.push({ at: performance.now(), latency });
  };
  const run = async () => {
    while (!signal.aborted) {
      const cluster = waiting.shift();
      if (cluster === undefined) throw new Error('There are more senders than clusters.');
      await Promise.all(Array.from({ length: burst }, () => send(cluster)));
      waiting.push(cluster);
    }
  };
  await Promise.all(Array.from({ length: senders }, run));
}

function asMeasurements(what: string, { rates, processor, latencies, callsPerEvent }: Phase): Measurement[] {
  const perSecond = rates.map((rate, index) => rate / (processor[index] ?? Number.NaN));
  const reference = `the original: ${(1000 / original.poll.duration).toFixed(1)} polls in a second`;
  return [
    { what, ...medianOf(rates), unit: 'events/s', budget: null, reference },
    { what: `${what}: share of the processor`, value: median(processor) * 100, unit: '%', budget: null },
    { what: `${what}: in a second of its time`, ...medianOf(perSecond), unit: 'events', budget: null },
    { what: `${what}: event → answer`, ...medianOf(latencies), unit: 'ms', budget: null },
    { what: `${what}: event → answer, p95`, value: percentile(latencies, 0.95), unit: 'ms', budget: null },
    {
      what: `${what}: Kubernetes calls of an event`,
      value: callsPerEvent,
      unit: '',
      budget: 4,
      reference: `the original: ${original.poll.kubernetesCalls} of a poll`,
    },
  ];
}
