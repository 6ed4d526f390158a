import { execFile } from 'node:child_process';
import { access, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { parseCpuList } from './cpu-list.ts';

const places = ['/usr/bin/taskset', '/bin/taskset', '/usr/local/bin/taskset'];

/** One processor for what is measured, the others for everything else. */
export interface Pinning {
  /** What a command is started with so that it has a processor for itself. */
  readonly launcher: readonly string[];
  /** Keeps running processes away from that processor. */
  keepAway(pids: readonly number[]): Promise<void>;
  /** Lets them run everywhere again. */
  release(): Promise<void>;
}

/** @returns undefined where there is only one processor, or no `taskset` of util-linux */
export async function createPinning(): Promise<Pinning | undefined> {
  const taskset = await findTaskset();
  const allowed = allowedProcessors(await readFile('/proc/self/status', 'utf8').catch(() => ''));
  const [own, ...others] = allowed;
  if (taskset === undefined || own === undefined || others.length === 0) return undefined;
  const moved = new Set<number>();
  const move = async (pid: number, processors: readonly number[]) => {
    // A process may have ended meanwhile.
    await promisify(execFile)(taskset, ['-a', '-c', '-p', processors.join(','), String(pid)]).catch(() => undefined);
  };
  return {
    launcher: [taskset, '-c', String(own)],
    async keepAway(pids) {
      for (const pid of pids) {
        moved.add(pid);
        await move(pid, others);
      }
    },
    async release() {
      for (const pid of moved) await move(pid, allowed);
      moved.clear();
    },
  };
}

/** @param status text of /proc/<pid>/status */
export function allowedProcessors(status: string): readonly number[] {
  return parseCpuList(/^Cpus_allowed_list:\s*(\S*)$/m.exec(status)?.[1] ?? '');
}

async function findTaskset(): Promise<string | undefined> {
  for (const path of places) {
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}
