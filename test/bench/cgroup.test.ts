import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createGroup, findCgroup, type LimitedGroup, limitFiles } from './cgroup.ts';

const first = 'cgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,nosuid,cpu,cpuacct 0 0';
const other = 'cgroup /sys/fs/cgroup/cpuset cgroup rw,cpuset 0 0';
const memory = 'cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0';
const second = 'cgroup2 /sys/fs/cgroup/unified cgroup2 rw,nsdelegate 0 0';

describe('the control groups', () => {
  test.each([
    ['of version 1', [other, first], { version: 1, path: '/sys/fs/cgroup/cpu,cpuacct' }],
    ['of version 2', [second], { version: 2, path: '/sys/fs/cgroup/unified' }],
    ['of version 1 where both are there, for it has the controller', [second, first], { version: 1 }],
  ])('%s are found', (_what, mounts, expected) => {
    expect(findCgroup(['proc /proc proc rw 0 0', ...mounts, ''].join('\n'), 'cpu')).toMatchObject(expected);
  });

  test('are not taken for those of other resources', () => {
    expect(findCgroup(other, 'cpu')).toBeUndefined();
    expect(findCgroup('', 'cpu')).toBeUndefined();
    expect(findCgroup([first, memory].join('\n'), 'memory')).toEqual({ version: 1, path: '/sys/fs/cgroup/memory' });
  });
});

test('a quota is written in microseconds of a period', () => {
  expect(limitFiles(2, 'cpu', 250)).toEqual([['cpu.max', '25000 100000']]);
  expect(Object.fromEntries(limitFiles(1, 'cpu', 500))).toEqual({
    'cpu.cfs_period_us': '100000',
    'cpu.cfs_quota_us': '50000',
  });
});

test('memory is limited in bytes', () => {
  expect(limitFiles(2, 'memory', 1024)).toEqual([['memory.max', '1024']]);
  expect(limitFiles(1, 'memory', 1024)).toEqual([['memory.limit_in_bytes', '1024']]);
});

describe('a machine on which no group can be made', () => {
  const mountsOf = async (text: string) => {
    const folder = await mkdtemp(join(tmpdir(), 'magnum-bench-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'mounts'), text);
    return join(folder, 'mounts');
  };

  test('says that it has none', async () => {
    const mountsFile = await mountsOf(other);
    await expect(createGroup({ controller: 'cpu', amount: 500, mountsFile })).rejects.toThrow(
      'has no control groups for processors',
    );
  });

  test('says that it allows none', async () => {
    const mountsFile = await mountsOf('cgroup /nowhere/at/all cgroup rw,memory 0 0');
    await expect(createGroup({ controller: 'memory', amount: 1024, mountsFile })).rejects.toThrow(
      'No control group for memory may be made',
    );
  });
});

test.for([
  ['cpu', 500],
  ['memory', 64 * 2 ** 20],
] as const)(
  'a command that is launched runs in its group, with the limit of %s',
  async ([controller, amount], { skip }) => {
    const group = await createGroup({ controller, amount }).catch((): LimitedGroup | undefined => undefined);
    if (group === undefined) return skip('no control group may be made here');
    onTestFinished(() => group.remove());
    const [program = '', ...args] = [...group.launcher, '/bin/cat', '/proc/self/cgroup'];
    const { stdout } = await promisify(execFile)(program, args);
    expect(stdout).toContain(`/magnum-bench-${controller}-${process.pid}\n`);
  },
);
