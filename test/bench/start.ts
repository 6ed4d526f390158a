import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { CreateStage } from '../functions/create-stage.ts';
import { type Measurement, median } from './measurement.ts';

/** Odd, so that the median is a measured value. */
const rounds = 15;

/** What no function can be faster than. */
const emptyServer = "require('node:http').createServer().listen(0, () => console.log('listening'))";

async function startOfEmptyServer(): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['-e', emptyServer], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const duration = performance.now() - startedAt;
  child.kill('SIGKILL');
  await once(child, 'exit');
  return duration;
}

async function startOfFunction(stage: CreateStage): Promise<number> {
  const started = await stage.startAnother();
  await started.stop('SIGKILL');
  return started.startedInMs;
}

/** Process start → listening, in turn with an empty server so that both meet the same load. */
export async function measureStart(stage: CreateStage): Promise<Measurement[]> {
  const empty: number[] = [];
  const own: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    empty.push(await startOfEmptyServer());
    own.push(await startOfFunction(stage));
  }
  return [
    { what: 'start → listening, empty node:http server', value: median(empty), unit: 'ms', budget: null },
    { what: 'start → listening, create', value: median(own), unit: 'ms', budget: null },
    { what: 'start → listening, create / empty server', value: median(own) / median(empty), unit: '×', budget: 2 },
  ];
}

/** Resident memory of the function's process. */
export async function measureMemory(stage: CreateStage): Promise<Measurement> {
  const status = await readFile(`/proc/${stage.function.pid}/status`, 'utf8');
  const kilobytes = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]);
  return { what: 'resident memory after the events', value: kilobytes / 1024, unit: 'MB', budget: 100 };
}
