import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { freePorts } from '../env/free-ports.ts';
import { waitFor } from '../env/wait-for.ts';
import { collectGarbage } from './inspected-heap.ts';

const code = `globalThis.kept = Array.from({ length: 500_000 }, (_, number) => ({ number })); setInterval(() => {}, 1e6)`;

test('the heap of a process holds what is kept, once its garbage is collected', async () => {
  const [port = 0] = await freePorts(1);
  const child = spawn(process.execPath, [`--inspect=127.0.0.1:${port}`, '-e', code], { stdio: 'ignore' });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  const kept = async () => {
    const heap = await collectGarbage(port);
    if (heap < 12) throw new Error(`${heap} MB are less than 500,000 objects take`);
    return heap;
  };
  expect(await waitFor(kept, { what: 'the process to keep its objects' })).toBeLessThan(100);
});
