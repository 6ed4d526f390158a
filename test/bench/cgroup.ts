import { constants } from 'node:fs';
import { access, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where groups of processes with a share of the processors can be made. */
export interface CgroupMount {
  readonly version: 1 | 2;
  readonly path: string;
}

/** Microseconds; the default of both versions, and Kubernetes'. */
const period = 100_000;

/** A group of processes that get no more than a quota of processor time. */
export interface QuotaGroup {
  /** What a command is started with so that it runs in the group from its first instruction. */
  readonly launcher: readonly string[];
  /** @param millicores thousandths of a processor */
  limit(millicores: number): Promise<void>;
  /** Nothing may run in it any more. */
  remove(): Promise<void>;
}

/**
 * The hierarchy that has the `cpu` controller: of version 1 where it is there, else the one of version 2; undefined without any.
 * @param mounts text of /proc/self/mounts
 */
export function findCpuCgroup(mounts: string): CgroupMount | undefined {
  const entries = mounts.split('\n').map((line) => line.split(' '));
  const first = entries.find(([, , type, options]) => type === 'cgroup' && options?.split(',').includes('cpu'));
  const second = entries.find(([, , type]) => type === 'cgroup2');
  if (first?.[1] !== undefined) return { version: 1, path: first[1] };
  return second?.[1] === undefined ? undefined : { version: 2, path: second[1] };
}

/** Files with their contents that limit a group. */
export function quotaFiles(
  version: CgroupMount['version'],
  millicores: number,
): readonly (readonly [string, string])[] {
  const quota = (period * millicores) / 1000;
  if (version === 2) return [['cpu.max', `${quota} ${period}`]];
  return [
    ['cpu.cfs_period_us', String(period)],
    ['cpu.cfs_quota_us', String(quota)],
  ];
}

/**
 * Makes a group of its own.
 * @throws Error with a sentence on why this machine does not allow it
 */
export async function createQuotaGroup(mountsFile = '/proc/self/mounts'): Promise<QuotaGroup> {
  const mount = findCpuCgroup(await readFile(mountsFile, 'utf8').catch(() => ''));
  if (mount === undefined) throw new Error('This machine has no control groups for processors.');
  const path = join(mount.path, `magnum-bench-${process.pid}`);
  try {
    if (mount.version === 2) await delegateProcessors(mount.path);
    await mkdir(path);
  } catch (error) {
    throw new Error('No control group for processors may be made here.', { cause: error });
  }
  const group = groupAt(path, mount.version);
  try {
    await group.limit(1000);
    await access(join(path, 'cgroup.procs'), constants.W_OK);
  } catch (error) {
    await group.remove();
    throw new Error('A control group for processors cannot be limited here.', { cause: error });
  }
  return group;
}

/** Groups of version 2 have a controller only where the one above hands it down. */
async function delegateProcessors(parent: string): Promise<void> {
  const file = join(parent, 'cgroup.subtree_control');
  const delegated = (await readFile(file, 'utf8')).trim().split(' ');
  if (!delegated.includes('cpu')) await writeFile(file, '+cpu');
}

function groupAt(path: string, version: CgroupMount['version']): QuotaGroup {
  return {
    launcher: ['/bin/sh', '-c', 'echo $$ > "$0" && exec "$@"', join(path, 'cgroup.procs')],
    async limit(millicores) {
      for (const [name, content] of quotaFiles(version, millicores)) await writeFile(join(path, name), content);
    },
    remove: () => rmdir(path),
  };
}
