import { readFile, writeFile } from 'node:fs/promises';

/** What a process of this machine has used, as Linux tells it. */
export interface ProcessUsage {
  /** Resident memory in MB. */
  readonly resident: number;
  /** Most that was resident since the start, or since `forgetPeak`, in MB. */
  readonly peak: number;
  /** Seconds of processor time. */
  readonly processor: number;
}

/** `sysconf(_SC_CLK_TCK)` of every Linux that Node runs on. */
const ticksPerSecond = 100;
const kilobytesInMegabyte = 1024;

export async function processUsage(pid: number): Promise<ProcessUsage> {
  const [status, stat] = await Promise.all([
    readFile(`/proc/${pid}/status`, 'utf8'),
    readFile(`/proc/${pid}/stat`, 'utf8'),
  ]);
  const megabytes = (field: string) =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / kilobytesInMegabyte;
  // Fields 14 and 15 of proc(5); the name, which is the second, may hold spaces.
  const [user = Number.NaN, system = Number.NaN] = stat
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return { resident: megabytes('VmRSS'), peak: megabytes('VmHWM'), processor: (user + system) / ticksPerSecond };
}

/** From now on `peak` counts anew (proc(5), clear_refs). */
export async function forgetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
}
