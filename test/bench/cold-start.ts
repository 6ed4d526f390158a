import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FunctionName } from '../../shared/contract/event-types.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { freePorts } from '../env/free-ports.ts';
import { clusterMaker } from './bench-cluster.ts';
import { deleteObjects, writeObjects } from './bench-objects.ts';
import { createQuotaGroup, type QuotaGroup } from './cgroup.ts';
import { EventLoad } from './event-load.ts';
import type { Measurement, Section } from './measurement.ts';
import { completedClusters } from './new-cluster.ts';
import { publishedStarts } from './original.ts';
import { changeOf } from './post-change.ts';
import { startOfEmptyServer, untilListening } from './process-start.ts';
import { median, medianOf } from './samples.ts';
import type { WatchStage } from './watch-stage.ts';

/** Thousandths of a processor. */
const quotas = [250, 500, 1000] as const;
type Quota = (typeof quotas)[number];
/** Odd, so that the median is a measured value. */
const rounds = 7;
/** Milliseconds after which a group has its full quota again: more than a period of the scheduler. */
const recovery = 150;

interface Variant {
  readonly name: FunctionName;
  /** Folder of Node's compile cache. */
  readonly cache?: string;
}

/** Milliseconds from the start of a process. */
interface ColdStart {
  readonly listening: number;
  /** An event that is sent at once is answered; only of status. */
  readonly answered: number;
}

/** Process start → listening → first event answered, with less than a processor. */
export async function measureColdStart(stage: WatchStage, onProgress: (line: string) => void): Promise<Section> {
  let group: QuotaGroup;
  try {
    group = await createQuotaGroup();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { measurements: [], notes: [`Left out: ${reason}`] };
  }
  const directory = await mkdtemp(join(tmpdir(), 'magnum-bench-'));
  try {
    const bench = await prepare(stage, group, directory);
    const measurements: Measurement[] = [];
    for (const quota of quotas) {
      onProgress(`starts with ${quota} m of a processor`);
      measurements.push(...(await measureQuota(bench, quota)));
    }
    return { measurements, notes: [note] };
  } finally {
    await group.remove();
    await rm(directory, { recursive: true, force: true });
    await deleteObjects(stage.api);
  }
}

const note =
  'The first event is sent as soon as the process listens. What was published was measured on another machine, with Node 20 and 22: to be compared by its proportions alone.';

interface Bench {
  readonly stage: WatchStage;
  readonly group: QuotaGroup;
  /** Of the cluster that the first events are about. */
  readonly stackId: string;
  readonly variants: readonly Variant[];
}

async function prepare(stage: WatchStage, group: QuotaGroup, directory: string): Promise<Bench> {
  const all = completedClusters(1);
  await writeObjects(stage.api, all.flatMap(await clusterMaker()));
  const names: readonly FunctionName[] = ['status', 'create'];
  const variants = names.flatMap((name): Variant[] => [{ name }, { name, cache: join(directory, name) }]);
  const bench = { stage, group, stackId: all[0]?.stackId ?? '', variants };
  // Node writes the cache when a process ends in order.
  for (const variant of variants) await coldStart(bench, variant, { isLimited: false, signal: 'SIGTERM' });
  return bench;
}

async function measureQuota(bench: Bench, quota: Quota): Promise<Measurement[]> {
  const { group, variants } = bench;
  await group.limit(quota);
  const empty: number[] = [];
  const starts = new Map<Variant, ColdStart[]>(variants.map((variant) => [variant, []]));
  for (const port of await freePorts(rounds)) {
    empty.push(await startOfEmptyServer(port, group.launcher));
    for (const [variant, measured] of starts) {
      await sleep(recovery);
      measured.push(await coldStart(bench, variant, { isLimited: true, signal: 'SIGKILL' }));
    }
    await sleep(recovery);
  }
  const what = `${quota} m: start → listening`;
  return [
    { what: `${what}, empty node:http server`, ...medianOf(empty), unit: 'ms', budget: null },
    ...[...starts].flatMap(([variant, measured]) => asMeasurements({ quota, variant, measured, floor: median(empty) })),
  ];
}

interface Manner {
  readonly isLimited: boolean;
  /** How the process ends. */
  readonly signal: 'SIGTERM' | 'SIGKILL';
}

async function coldStart(
  { stage, group, stackId }: Bench,
  { name, cache }: Variant,
  { isLimited, signal }: Manner,
): Promise<ColdStart> {
  const [port = 0] = await freePorts(1);
  const startedAt = performance.now();
  const starting = stage.functions.startAnother(name, {
    port,
    ...(isLimited ? { launcher: group.launcher } : {}),
    variables: cache === undefined ? {} : { NODE_COMPILE_CACHE: cache },
  });
  const listening = await untilListening(port, startedAt);
  const load = new EventLoad(`http://127.0.0.1:${port}/`);
  if (name === 'status') await load.send(changeOf(resources.cluster, stackId));
  const answered = performance.now() - startedAt;
  load.close();
  await (await starting).stop(signal);
  return { listening, answered };
}

interface QuotaResult {
  readonly quota: Quota;
  readonly variant: Variant;
  readonly measured: readonly ColdStart[];
  /** Milliseconds of an empty server. */
  readonly floor: number;
}

function asMeasurements({ quota, variant: { name, cache }, measured, floor }: QuotaResult): Measurement[] {
  const who = cache === undefined ? name : `${name} with compile cache`;
  const listening = medianOf(measured.map((one) => one.listening));
  const answered = medianOf(measured.map((one) => one.answered));
  const reference = publishedStarts[quota];
  const what = `${quota} m: start → listening, ${who}`;
  return [
    { what, ...listening, unit: 'ms', budget: null, reference },
    { what: `${what} / empty server`, value: listening.value / floor, unit: '×', budget: 2 },
    ...(name === 'status'
      ? [{ what: `${quota} m: start → first event answered, ${who}`, ...answered, unit: 'ms', budget: null }]
      : []),
  ];
}
