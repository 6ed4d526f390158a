import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bundle, buildFunctions } from '../../scripts/build.ts';
import { type ControlPlane, startControlPlane } from '../env/control-plane.ts';
import { runCommand } from '../functions/command-line.ts';
import { startFunctionStage } from '../functions/function-stage.ts';
import { deleteObjects } from './bench-objects.ts';
import { startCalls } from './calls.ts';
import { measureCreate } from './create.ts';
import { measureMany } from './many-clusters.ts';
import { asTable, isWithinBudget, type Measurement } from './measurement.ts';
import { measureOperations } from './operations.ts';
import { measureLife, readLife } from './recorded-life.ts';
import { measureRender } from './render.ts';
import { measureResync } from './resync.ts';
import { measureFirstEvents, measureStart } from './start.ts';
import { startWatchStage, type WatchStage } from './watch-stage.ts';

const usage = `Usage: npm run bench [-- [--json] [<part> ...]]

Measures the functions on a real API server with a simulated OpenStack that answers at once, and compares with the budgets
of the design and with the original driver. Takes about ten minutes. Exits with 1 if a budget is exceeded or something
failed, with 2 for wrong usage.
  --json     print the measurements as JSON
  --help     show this text
Parts, all of them by default:
  --start    sizes, starts and memory of the functions
  --create   creates on the real Cluster API
  --operations
             resize, nodegroups, upgrade, rotation and delete on the real Cluster API
  --calls    Kubernetes calls of a status and a health computation
  --life     a recorded life of a cluster in real time: 2.5 minutes
  --many     200 clusters in progress at once
  --resync   the resync of 100 and of 1,000 clusters
environment:
  BENCH_LIFE   the record of --life, one request of an ApiServerSource a line
  and those of npm run env`;

const parts = ['start', 'create', 'operations', 'calls', 'life', 'many', 'resync'] as const;
type Part = (typeof parts)[number];

interface Run {
  readonly wants: (part: Part) => boolean;
  readonly onProgress: (line: string) => void;
}

async function measureAll(run: Run): Promise<Measurement[]> {
  const { wants } = run;
  return [
    ...(wants('start') || wants('create') || wants('operations')
      ? await onControlPlane(run, { managers: true }, measureCreation)
      : []),
    ...(wants('calls') || wants('life') || wants('many') || wants('resync')
      ? await onControlPlane(run, { managers: false }, measureWatching)
      : []),
  ];
}

type Measure = (run: Run, controlPlane: ControlPlane) => Promise<Measurement[]>;

async function onControlPlane(
  run: Run,
  { managers }: { readonly managers: boolean },
  measure: Measure,
): Promise<Measurement[]> {
  const controlPlane = await startControlPlane({ managers, onProgress: run.onProgress });
  try {
    return await measure(run, controlPlane);
  } finally {
    await controlPlane.stop();
  }
}

async function measureCreation({ wants, onProgress }: Run, controlPlane: ControlPlane): Promise<Measurement[]> {
  const stage = await startFunctionStage(controlPlane);
  const directory = await mkdtemp(join(tmpdir(), 'magnum-bench-'));
  const measurements: Measurement[] = [];
  try {
    if (wants('start')) {
      onProgress('measuring sizes and starts');
      const bundles = await buildFunctions(directory);
      measurements.push(...bundles.map(sizeOf), ...(await measureStart(stage, bundles)));
      measurements.push(...(await measureFirstEvents(stage, bundles)));
    }
    if (wants('create')) {
      onProgress('measuring creates');
      measurements.push(...(await measureRender()), ...(await measureCreate(stage, controlPlane.auditLogPath)));
    }
    if (wants('operations')) {
      onProgress('measuring operations');
      measurements.push(...(await measureOperations(stage, controlPlane.auditLogPath)));
    }
    return measurements;
  } finally {
    await stage.stop();
    await rm(directory, { recursive: true });
  }
}

function sizeOf({ name, size }: Bundle): Measurement {
  return { what: `bundle of ${name}, minified`, value: size / 1000, unit: 'KB', budget: 500 };
}

async function measureWatching({ wants, onProgress }: Run, controlPlane: ControlPlane): Promise<Measurement[]> {
  const stage = await startWatchStage(controlPlane);
  const measurements: Measurement[] = [];
  try {
    measurements.push(...(await measureClusters(stage, { wants, onProgress })));
    if (wants('many')) {
      onProgress('measuring many clusters in progress');
      measurements.push(...(await measureMany(stage)));
    }
    if (wants('resync')) {
      onProgress('measuring resyncs');
      measurements.push(...(await measureResync(stage, onProgress)));
    }
    return measurements;
  } finally {
    await stage.stop();
  }
}

/** Calls and life go together, since the first has to wait for clusters to grow old. */
async function measureClusters(stage: WatchStage, { wants, onProgress }: Run): Promise<Measurement[]> {
  if (wants('calls')) onProgress('measuring calls');
  const calls = wants('calls') ? await startCalls(stage) : undefined;
  const life = wants('life') ? await readLife() : undefined;
  if (life !== undefined) onProgress(`replaying a recorded life of ${life.length} events in real time`);
  else if (wants('life')) onProgress('no record of a life to replay: BENCH_LIFE can name one');
  const ofLife = life === undefined ? [] : await measureLife(stage, life);
  const measurements = [...((await calls?.finish(onProgress)) ?? []), ...ofLife];
  await deleteObjects(stage.api);
  return measurements;
}

await runCommand({
  usage,
  switches: ['json', ...parts],
  async run(switches) {
    const isPartial = parts.some((part) => switches[part]);
    const measurements = await measureAll({
      wants: (part) => !isPartial || switches[part],
      onProgress: (line) => console.error(line),
    });
    console.log(switches.json ? JSON.stringify(measurements, null, 2) : asTable(measurements));
    return measurements.every(isWithinBudget) ? 0 : 1;
  },
});
