import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClusterFolder } from './cluster-folder.ts';
import { ProcessRunner } from './process-runner.ts';

let root: string;
let processes: ProcessRunner;
const lines: string[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'process-runner-test-'));
  lines.length = 0;
  processes = new ProcessRunner({ folder: await createClusterFolder(root), onProgress: (line) => lines.push(line) });
});

afterEach(async () => {
  await processes.stop();
  await rm(root, { recursive: true });
});

function node(program: string) {
  return { command: process.execPath, args: ['-e', program] };
}

const never = () => Promise.reject(new Error('not yet'));

test('the error of a process that does not come up names its log and shows its end', async () => {
  processes.start('part', node("console.error('no such flag'); process.exit(3)"));
  const log = join(root, 'logs', 'part.log');
  await expect(processes.waitFor('part', never)).rejects.toThrow(
    `part ended with exit code 3. Its log, ${log}, ends with:\nno such flag`,
  );
  expect(lines).toEqual([`part ended with exit code 3, its log is ${log}`]);
  expect(processes.isRunning('part')).toBe(false);
});

test('a process that is killed is gone at once, ends who waits for it, and may be started again', async () => {
  processes.start('part', node('setInterval(() => {}, 1000)'));
  const waiting = expect(processes.waitFor('part', never)).rejects.toThrow('part ended with signal SIGKILL');
  await processes.kill('part');
  await waiting;
  expect(processes.isRunning('part')).toBe(false);
  processes.start('part', node("console.log('again')"));
  const log = () => readFile(join(root, 'logs', 'part.log'), 'utf8');
  await expect.poll(log, { timeout: 10_000 }).toContain('again');
});

test('nothing starts after stop, and who waits is told', async () => {
  processes.start('part', node('setInterval(() => {}, 1000)'));
  const waiting = expect(processes.waitFor('part', never)).rejects.toThrow('stopped');
  await processes.stop();
  await waiting;
  expect(() => processes.start('late', node(''))).toThrow('stopped');
  await expect(processes.waitFor('late', never)).rejects.toThrow('late does not run');
  expect(lines).toEqual([]);
});
