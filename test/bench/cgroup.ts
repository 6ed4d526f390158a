import { constants } from 'node:fs';
import { access, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a group of processes is limited in, by the name of its controller. */
export type Controller = 'cpu' | 'memory';

const words: Readonly<Record<Controller, string>> = { cpu: 'processors', memory: 'memory' };

/** Where groups of processes with a limit can be made. */
export interface CgroupMount {
  readonly version: 1 | 2;
  readonly path: string;
}

/** Microseconds; the default of both versions, and Kubernetes'. */
const period = 100_000;

/** A group of processes that get no more than a share of the machine. */
export interface LimitedGroup {
  /** What a command is started with so that it runs in the group from its first instruction. */
  readonly launcher: readonly string[];
  /** @param amount thousandths of a processor, or bytes */
  limit(amount: number): Promise<void>;
  /** Nothing may run in it any more. */
  remove(): Promise<void>;
}

/**
 * The hierarchy that has a controller: of version 1 where it is there, else the one of version 2; undefined without any.
 * @param mounts text of /proc/self/mounts
 */
export function findCgroup(mounts: string, controller: Controller): CgroupMount | undefined {
  const entries = mounts.split('\n').map((line) => line.split(' '));
  const first = entries.find(([, , type, options]) => type === 'cgroup' && options?.split(',').includes(controller));
  const second = entries.find(([, , type]) => type === 'cgroup2');
  if (first?.[1] !== undefined) return { version: 1, path: first[1] };
  return second?.[1] === undefined ? undefined : { version: 2, path: second[1] };
}

/**
 * Files with their contents that limit a group.
 * @param amount thousandths of a processor, or bytes
 */
export function limitFiles(
  version: CgroupMount['version'],
  controller: Controller,
  amount: number,
): readonly (readonly [string, string])[] {
  if (controller === 'memory') return [[version === 2 ? 'memory.max' : 'memory.limit_in_bytes', String(amount)]];
  const quota = (period * amount) / 1000;
  if (version === 2) return [['cpu.max', `${quota} ${period}`]];
  return [
    ['cpu.cfs_period_us', String(period)],
    ['cpu.cfs_quota_us', String(quota)],
  ];
}

interface GroupOptions {
  readonly controller: Controller;
  /** Thousandths of a processor, or bytes. */
  readonly amount: number;
  /** @default /proc/self/mounts */
  readonly mountsFile?: string;
}

/**
 * Makes a group of its own.
 * @throws Error with a sentence on why this machine does not allow it
 */
export async function createGroup({
  controller,
  amount,
  mountsFile = '/proc/self/mounts',
}: GroupOptions): Promise<LimitedGroup> {
  const mount = findCgroup(await readFile(mountsFile, 'utf8').catch(() => ''), controller);
  if (mount === undefined) throw new Error(`This machine has no control groups for ${words[controller]}.`);
  const path = join(mount.path, `magnum-bench-${controller}-${process.pid}`);
  try {
    if (mount.version === 2) await delegate(mount.path, controller);
    await mkdir(path);
  } catch (error) {
    throw new Error(`No control group for ${words[controller]} may be made here.`, { cause: error });
  }
  const group = groupAt(path, mount.version, controller);
  try {
    await group.limit(amount);
    await access(join(path, 'cgroup.procs'), constants.W_OK);
  } catch (error) {
    await group.remove();
    throw new Error(`A control group for ${words[controller]} cannot be limited here.`, { cause: error });
  }
  return group;
}

/** Groups of version 2 have a controller only where the one above hands it down. */
async function delegate(parent: string, controller: Controller): Promise<void> {
  const file = join(parent, 'cgroup.subtree_control');
  const delegated = (await readFile(file, 'utf8')).trim().split(' ');
  if (!delegated.includes(controller)) await writeFile(file, `+${controller}`);
}

function groupAt(path: string, version: CgroupMount['version'], controller: Controller): LimitedGroup {
  return {
    launcher: ['/bin/sh', '-c', 'echo $$ > "$0" && exec "$@"', join(path, 'cgroup.procs')],
    async limit(amount) {
      for (const [name, content] of limitFiles(version, controller, amount)) {
        await writeFile(join(path, name), content);
      }
    },
    remove: () => rmdir(path),
  };
}
