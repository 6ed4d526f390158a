import { startFunctionStage } from '../functions/function-stage.ts';
import { deleteObjects } from './bench-objects.ts';
import { startCalls } from './calls.ts';
import { measureColdStart } from './cold-start.ts';
import { measureMany } from './many-clusters.ts';
import type { Measurement, Section } from './measurement.ts';
import { measureMemory } from './memory.ts';
import { measureNodegroups } from './nodegroup-growth.ts';
import { measureNodegroupRender, measureNodegroupStatus } from './nodegroup-status.ts';
import type { RunSettings, Step } from './part-runner.ts';
import { measureLife, readLife } from './recorded-life.ts';
import { measureResync } from './resync.ts';
import type { PartName } from './section-names.ts';
import { measureThroughput } from './throughput.ts';
import type { WatchStage } from './watch-stage.ts';

/** What is measured where nobody but the bench writes objects. */
export const watchSteps: readonly Step<WatchStage>[] = [
  {
    parts: ['cold'],
    seconds: 90,
    run: async (stage, { onProgress }) => [['cold', await measureColdStart(stage, onProgress)]],
  },
  { parts: ['calls', 'life'], seconds: 200, run: measureClusters },
  {
    parts: ['many'],
    seconds: 70,
    run: async (stage) => [['many', section(await measureMany(stage))]],
  },
  {
    parts: ['throughput'],
    seconds: 90,
    run: async (stage, { onProgress }) => [['throughput', await measureThroughput(stage, onProgress)]],
  },
  {
    parts: ['memory'],
    seconds: 120,
    run: async (stage, { onProgress }) => [['memory', await measureMemory(stage, onProgress)]],
  },
  {
    parts: ['nodegroups'],
    seconds: 180,
    run: async (stage) => [['nodegroups', await measureGrowth(stage)]],
  },
  {
    // The last one: its clusters stay.
    parts: ['resync'],
    seconds: 180,
    run: async (stage, { onProgress }) => [['resync', await measureResync(stage, onProgress)]],
  },
];

function section(measurements: readonly Measurement[], notes: readonly string[] = []): Section {
  return { measurements, notes };
}

/** Calls and life go together, since the first has to wait for clusters to grow old. */
async function measureClusters(
  stage: WatchStage,
  { wants, onProgress }: RunSettings,
): Promise<readonly (readonly [PartName, Section])[]> {
  const calls = wants('calls') ? await startCalls(stage) : undefined;
  const ofLife = wants('life') ? await replayLife(stage, onProgress) : undefined;
  const ofCalls = await calls?.finish(onProgress);
  await deleteObjects(stage.api);
  return [
    ...(ofCalls === undefined ? [] : [['calls', section(ofCalls)] as const]),
    ...(ofLife === undefined ? [] : [['life', ofLife] as const]),
  ];
}

async function replayLife(stage: WatchStage, onProgress: (line: string) => void): Promise<Section> {
  const life = await readLife();
  if (life === undefined) return section([], ['Left out: there is no record to replay; BENCH_LIFE can name one.']);
  onProgress(`replaying a recorded life of ${life.length} events in real time`);
  return section(await measureLife(stage, life));
}

async function measureGrowth(stage: WatchStage): Promise<Section> {
  const { controlPlane } = stage;
  const render = await measureNodegroupRender();
  const status = await measureNodegroupStatus(stage);
  const functions = await startFunctionStage(controlPlane);
  const operations = await measureNodegroups(functions, controlPlane.auditLogPath).finally(() => functions.stop());
  await deleteObjects(stage.api);
  const note = 'Cluster API does not run here: neither its work nor its webhooks are in a create or an upgrade.';
  return section([...render, ...operations, ...status], [note]);
}
