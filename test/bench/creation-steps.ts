import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bundle, buildBundles, buildFunctions } from '../../scripts/build.ts';
import type { FunctionStage } from '../functions/function-stage.ts';
import { measureCreate } from './create.ts';
import type { Measurement, Section } from './measurement.ts';
import { measureOperations } from './operations.ts';
import type { Step } from './part-runner.ts';
import { measureRender } from './render.ts';
import { measureFirstEvents, measureStart } from './start.ts';

/** The functions on the real Cluster API. */
export interface CreationStage {
  readonly functions: FunctionStage;
  readonly auditLogPath: string;
}

/** What is measured on the real Cluster API. */
export const creationSteps: readonly Step<CreationStage>[] = [
  {
    parts: ['start'],
    seconds: 60,
    run: async ({ functions }) => [['start', section(await measureBundles(functions))]],
  },
  {
    parts: ['create'],
    seconds: 90,
    async run({ functions, auditLogPath }) {
      const render = await measureRender();
      return [['create', section([...(await measureCreate(functions, auditLogPath)), ...render])]];
    },
  },
  {
    parts: ['operations'],
    seconds: 120,
    run: async ({ functions, auditLogPath }) => [
      ['operations', section(await measureOperations(functions, auditLogPath))],
    ],
  },
];

function section(measurements: readonly Measurement[]): Section {
  return { measurements, notes: [] };
}

async function measureBundles(functions: FunctionStage): Promise<readonly Measurement[]> {
  const directory = await mkdtemp(join(tmpdir(), 'magnum-bench-'));
  try {
    const all = await buildBundles(directory);
    const bundles = await buildFunctions(directory);
    return [
      ...all.map(sizeOf),
      ...(await measureStart(functions, bundles)),
      ...(await measureFirstEvents(functions, bundles)),
    ];
  } finally {
    await rm(directory, { recursive: true });
  }
}

function sizeOf({ name, size, limit }: Bundle<string>): Measurement {
  const budget = Number.isFinite(limit) ? limit / 1000 : null;
  return { what: `bundle of ${name}, minified`, value: size / 1000, unit: 'KB', budget };
}
