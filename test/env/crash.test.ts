import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isAlive } from './is-alive.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));
const program = `
import { startControlPlane } from '${new URL('control-plane.ts', import.meta.url)}';
const { pids } = await startControlPlane({ managers: false, directory: process.argv[1] });
process.once('SIGUSR2', () => { throw new Error('nobody catches this'); });
console.log(JSON.stringify(pids));
`;

let root: string;
let child: ChildProcess | undefined;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'crash-test-'));
});

afterEach(async () => {
  child?.kill('SIGKILL');
  await rm(root, { recursive: true });
});

/** Runs Node in a process group of its own, as a terminal does. */
function run(...args: string[]): { readonly lines: AsyncIterator<string>; signal(name: NodeJS.Signals): void } {
  const spawned = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  child = spawned;
  return {
    lines: createInterface({ input: spawned.stdout })[Symbol.asyncIterator](),
    signal: (name) => process.kill(-spawned.pid!, name),
  };
}

async function gone(pids: readonly number[]): Promise<void> {
  await expect.poll(() => pids.filter(isAlive), { timeout: 15_000 }).toEqual([]);
}

test.each<[string, NodeJS.Signals]>([
  ['is killed', 'SIGKILL'],
  ['is interrupted', 'SIGINT'],
  ['throws what nobody catches', 'SIGUSR2'],
])('nothing runs on when the process that started it %s', async (_, signal) => {
  const directory = join(root, 'run');
  const { lines, signal: send } = run('--input-type=module', '--eval', program, directory);
  const pids: number[] = Object.values(JSON.parse((await lines.next()).value));
  expect(pids.map(isAlive)).toEqual([true, true]);
  send(signal);
  await gone(pids);
  // The logs remain for whoever looks into it, the data does not.
  await expect.poll(() => readdir(directory), { timeout: 15_000 }).not.toContain('data');
  expect(await readdir(join(directory, 'logs'))).toContain('etcd.log');
});

test('Ctrl-C stops `npm run env -- up` and removes its folder', async () => {
  const { lines, signal } = run(main, 'up', '--api-only');
  let kubeconfig = '';
  while (kubeconfig === '') {
    const { value } = await lines.next();
    kubeconfig = /KUBECONFIG=(.+)/.exec(value)?.[1] ?? '';
  }
  await expect(stat(kubeconfig)).resolves.toBeDefined();
  signal('SIGINT');
  expect(await once(child!, 'exit')).toEqual([0, null]);
  await expect(stat(kubeconfig)).rejects.toThrow('ENOENT');
});

test.each([
  [['--help'], 0],
  [['down'], 2],
  [['--nonsense'], 2],
  [['up', '--api-only', '--dir', '/dev/null'], 1],
])('`npm run env -- %j` exits with %i', async (args, code) => {
  run(main, ...args);
  expect(await once(child!, 'exit')).toEqual([code, null]);
});
