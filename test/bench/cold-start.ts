import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildDispatcher, buildFunctions } from '../../scripts/build.ts';
import { bundleEntries } from '../../scripts/bundles.ts';
import { writeCompileCaches } from '../../scripts/image/compile-cache.ts';
import type { FunctionName } from '../../shared/contract/event-types.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { freePorts } from '../env/free-ports.ts';
import type { FunctionProcessOptions } from '../functions/function-process.ts';
import { clusterMaker } from './bench-cluster.ts';
import { deleteObjects, writeObjects } from './bench-objects.ts';
import { createGroup, type LimitedGroup } from './cgroup.ts';
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

const names: readonly FunctionName[] = ['status', 'create'];

/** A way to start a function. */
interface Variant {
  readonly name: FunctionName;
  /** E.g. `status in the image`. */
  readonly who: string;
  readonly process: Partial<FunctionProcessOptions>;
}

/** Milliseconds from the start of a process. */
interface ColdStart {
  readonly listening: number;
  /** An event that is sent at once is answered; only of status. */
  readonly answered: number;
}

/** Process start → listening → first event answered, with less than a processor. */
export async function measureColdStart(stage: WatchStage, onProgress: (line: string) => void): Promise<Section> {
  let group: LimitedGroup;
  try {
    group = await createGroup({ controller: 'cpu', amount: 1000 });
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
  "The first event is sent as soon as the process listens. `NODE_COMPILE_CACHE` is Node's own; the image has V8's beside each bundle. What was published was measured on another machine, with Node 20 and 22: to be compared by its proportions alone.";

interface Bench {
  readonly stage: WatchStage;
  readonly group: LimitedGroup;
  /** Of the cluster that the first events are about. */
  readonly stackId: string;
  readonly variants: readonly Variant[];
}

async function prepare(stage: WatchStage, group: LimitedGroup, directory: string): Promise<Bench> {
  const all = completedClusters(1);
  await writeObjects(stage.api, all.flatMap(await clusterMaker()));
  await buildImageFolder(directory);
  const variants = names.flatMap((name) => variantsOf(name, directory));
  const bench = { stage, group, stackId: all[0]?.stackId ?? '', variants };
  // Node writes its cache when a process ends in order.
  for (const variant of variants) await coldStart(bench, variant, { isLimited: false, signal: 'SIGTERM' });
  return bench;
}

/** What the image has of the functions, with V8's compile caches beside their bundles. */
async function buildImageFolder(folder: string): Promise<void> {
  await buildFunctions(folder, names);
  await buildDispatcher(folder);
  await writeCompileCaches({
    folder,
    entries: bundleEntries.filter((entry) => names.some((name) => name === entry.name)),
  });
}

function variantsOf(name: FunctionName, directory: string): readonly Variant[] {
  return [
    { name, who: name, process: {} },
    {
      name,
      who: `${name} with NODE_COMPILE_CACHE`,
      process: { variables: { NODE_COMPILE_CACHE: join(directory, `node-cache-${name}`) } },
    },
    {
      name,
      who: `${name} as in the image`,
      process: { bundle: join(directory, 'main.cjs'), arguments: [name] },
    },
  ];
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
  { name, process }: Variant,
  { isLimited, signal }: Manner,
): Promise<ColdStart> {
  const [port = 0] = await freePorts(1);
  const startedAt = performance.now();
  const starting = stage.functions.startAnother(name, {
    port,
    ...(isLimited ? { launcher: group.launcher } : {}),
    variables: {},
    ...process,
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

function asMeasurements({ quota, variant: { name, who }, measured, floor }: QuotaResult): Measurement[] {
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
