import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Resident memory of a process in MiB (proc(5)). */
export async function residentMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) / 1024;
}

/** The most resident memory in MiB that a process has while something goes on. */
export async function mostMemoryDuring(pid: number, work: Promise<unknown>): Promise<number> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  let most = await residentMemory(pid);
  while (!isOver) {
    await sleep(50);
    most = Math.max(most, await residentMemory(pid));
  }
  return most;
}
