import { readFile, writeFile } from 'node:fs/promises';
import { type ControlPlane, startControlPlane } from '../env/control-plane.ts';
import { runCommand } from '../functions/command-line.ts';
import { startFunctionStage } from '../functions/function-stage.ts';
import { mergeSections, sectionText } from './benchmarks-document.ts';
import { creationSteps } from './creation-steps.ts';
import { describeCircumstances, readCircumstances } from './machine.ts';
import { isWithinBudget } from './measurement.ts';
import { PartRunner } from './part-runner.ts';
import { partNames, sectionTitles } from './section-names.ts';
import { asTable } from './table.ts';
import { startWatchStage } from './watch-stage.ts';
import { watchSteps } from './watch-steps.ts';

const usage = `Usage: npm run bench [-- [--json | --markdown] [--write] [<part> ...]]

Measures the functions on a real API server with a simulated OpenStack that answers at once, and compares with the budgets
of the design and with the original driver. Takes about 22 minutes on two quiet cores. Exits with 1 if a budget is exceeded
or something failed, with 2 for wrong usage.
  --json     print the measurements as JSON
  --markdown print them in Markdown
  --write    also write the parts that were measured whole into docs/benchmarks.md; its other sections stay
  --help     show this text
Parts, all of them by default:
  --start    sizes, starts and memory of the functions
  --cold     starts with a part of a processor, where control groups allow that
  --create   creates on the real Cluster API, and the rendering of a cluster
  --operations
             resize, nodegroups, upgrade, rotation and delete on the real Cluster API
  --calls    Kubernetes calls of a status and a health computation
  --life     a recorded life of a cluster in real time: 2.5 minutes
  --many     200 clusters in progress at once
  --throughput
             events that the status function answers on one processor
  --memory   its memory over 100,000 events
  --nodegroups
             what create, upgrade, status and rendering cost with 1, 10 and 100 nodegroups
  --resync   the resync, and a status event, of 10, 100 and 1,000 clusters
environment:
  BENCH_LIFE   the record of --life, one request of an ApiServerSource a line
  and those of npm run env`;

const documentPath = new URL('../../docs/benchmarks.md', import.meta.url);

const onProgress = (line: string) => console.error(`${new Date().toISOString().slice(11, 19)}  ${line}`);

/** The real Cluster API first, as it needs the machine for itself; the other API server starts when it is gone. */
async function measureAll(runner: PartRunner): Promise<void> {
  if (runner.wantsAny(creationSteps)) {
    await onControlPlane(runner, true, async (controlPlane) => {
      const functions = await startFunctionStage(controlPlane);
      const { auditLogPath } = controlPlane;
      await runner.run({ functions, auditLogPath }, creationSteps).finally(() => functions.stop());
    });
  }
  if (runner.wantsAny(watchSteps)) {
    await onControlPlane(runner, false, async (controlPlane) => {
      const stage = await startWatchStage(controlPlane);
      await runner.run(stage, watchSteps).finally(() => stage.stop());
    });
  }
}

async function onControlPlane(
  runner: PartRunner,
  managers: boolean,
  measure: (controlPlane: ControlPlane) => Promise<void>,
): Promise<void> {
  const what = managers ? 'a control plane with Cluster API' : 'a control plane of an API server alone';
  await runner.attempt(what, async () => {
    const controlPlane = await startControlPlane({ managers, gcPercent: 100, onProgress });
    await measure(controlPlane).finally(() => controlPlane.stop());
  });
}

interface Output {
  readonly json: boolean;
  readonly markdown: boolean;
  readonly write: boolean;
}

async function show(runner: PartRunner, { json, markdown, write }: Output): Promise<void> {
  const { sections } = runner;
  const circumstances = await readCircumstances();
  const described = describeCircumstances(circumstances);
  const texts = new Map([...sections].map(([part, section]) => [part, sectionText(part, section, described)]));
  if (json) {
    const parts = [...sections].map(([part, section]) => ({ part, title: sectionTitles[part], ...section }));
    console.log(JSON.stringify({ ...circumstances, parts }, null, 2));
  } else if (markdown) {
    console.log([...texts.values()].join('\n\n'));
  } else {
    const titled = [...sections].map(([part, { measurements }]) => [sectionTitles[part], measurements] as const);
    const notes = [...sections].flatMap(([part, section]) =>
      section.notes.map((note) => `${sectionTitles[part]}: ${note}`),
    );
    console.log([described, '', asTable(titled), '', ...notes].join('\n'));
  }
  const whole = new Map([...texts].filter(([part]) => runner.isWhole(part)));
  if (!write || whole.size === 0) return;
  const former = await readFile(documentPath, 'utf8').catch(() => '');
  await writeFile(documentPath, mergeSections(former, whole));
}

await runCommand({
  usage,
  switches: ['json', 'markdown', 'write', ...partNames],
  async run(switches) {
    const isPartial = partNames.some((part) => switches[part]);
    const runner = new PartRunner({ wants: (part) => !isPartial || switches[part], onProgress });
    await measureAll(runner);
    await show(runner, switches);
    for (const failure of runner.failures) console.error(`failed: ${failure}`);
    const measurements = [...runner.sections.values()].flatMap((section) => section.measurements);
    return runner.failures.length === 0 && measurements.every(isWithinBudget) ? 0 : 1;
  },
});
