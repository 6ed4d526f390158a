import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildFunctions } from '../../scripts/build.ts';
import { startControlPlane } from '../env/control-plane.ts';
import { runCommand } from '../functions/command-line.ts';
import { startCreateStage } from '../functions/create-stage.ts';
import { measureCreate } from './create.ts';
import { asTable, isWithinBudget, type Measurement } from './measurement.ts';
import { measureRender } from './render.ts';
import { measureMemory, measureStart } from './start.ts';

const usage = `Usage: npm run bench [-- --json]

Measures the create function on a real API server with a simulated OpenStack that answers at once, and compares with the
budgets of the design. Exits with 1 if one is exceeded or something failed, with 2 for wrong usage.
  --json   print the measurements as JSON
  --help   show this text`;

async function measureBundles(): Promise<Measurement[]> {
  const directory = await mkdtemp(join(tmpdir(), 'magnum-bench-'));
  const bundles = await buildFunctions(directory);
  await rm(directory, { recursive: true });
  return bundles.map(({ name, size }) => ({
    what: `bundle of ${name}, minified`,
    value: size / 1000,
    unit: 'KB',
    budget: 500,
  }));
}

async function measureAll(onProgress: (line: string) => void): Promise<Measurement[]> {
  const controlPlane = await startControlPlane({ onProgress });
  try {
    const stage = await startCreateStage(controlPlane);
    try {
      onProgress('measuring bundles and rendering');
      const pure = [...(await measureBundles()), await measureRender()];
      onProgress('measuring starts');
      const starts = await measureStart(stage);
      onProgress('measuring creates');
      const creates = await measureCreate(stage, controlPlane.auditLogPath);
      return [...pure, ...starts, await measureMemory(stage), ...creates];
    } finally {
      await stage.stop();
    }
  } finally {
    await controlPlane.stop();
  }
}

await runCommand({
  usage,
  switches: ['json'],
  async run({ json }) {
    const measurements = await measureAll((line) => console.error(line));
    console.log(json ? JSON.stringify(measurements, null, 2) : asTable(measurements));
    return measurements.every(isWithinBudget) ? 0 : 1;
  },
});
