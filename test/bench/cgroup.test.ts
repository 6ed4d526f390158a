import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createQuotaGroup, findCpuCgroup, type QuotaGroup, quotaFiles } from './cgroup.ts';

const first = 'cgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,nosuid,cpu,cpuacct 0 0';
const other = 'cgroup /sys/fs/cgroup/cpuset cgroup rw,cpuset 0 0';
const second = 'cgroup2 /sys/fs/cgroup/unified cgroup2 rw,nsdelegate 0 0';

describe('the control groups for processors', () => {
  test.each([
    ['of version 1', [other, first], { version: 1, path: '/sys/fs/cgroup/cpu,cpuacct' }],
    ['of version 2', [second], { version: 2, path: '/sys/fs/cgroup/unified' }],
    ['of version 1 where both are there, for it has the controller', [second, first], { version: 1 }],
  ])('%s are found', (_what, mounts, expected) => {
    expect(findCpuCgroup(['proc /proc proc rw 0 0', ...mounts, ''].join('\n'))).toMatchObject(expected);
  });

  test('are not taken for those of other resources', () => {
    expect(findCpuCgroup(other)).toBeUndefined();
    expect(findCpuCgroup('')).toBeUndefined();
  });
});

test('a quota is written in microseconds of a period', () => {
  expect(quotaFiles(2, 250)).toEqual([['cpu.max', '25000 100000']]);
  expect(Object.fromEntries(quotaFiles(1, 500))).toEqual({
    'cpu.cfs_period_us': '100000',
    'cpu.cfs_quota_us': '50000',
  });
});

describe('a machine on which no group can be made', () => {
  const mountsOf = async (text: string) => {
    const folder = await mkdtemp(join(tmpdir(), 'magnum-bench-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'mounts'), text);
    return join(folder, 'mounts');
  };

  test('says that it has none', async () => {
    await expect(createQuotaGroup(await mountsOf(other))).rejects.toThrow('has no control groups for processors');
  });

  test('says that it allows none', async () => {
    const missing = await mountsOf('cgroup /nowhere/at/all cgroup rw,cpu 0 0');
    await expect(createQuotaGroup(missing)).rejects.toThrow('No control group for processors may be made');
  });
});

test('a command that is launched runs in its group, with the quota', async ({ skip }) => {
  const group = await createQuotaGroup().catch((): QuotaGroup | undefined => undefined);
  if (group === undefined) return skip('no control group may be made here');
  onTestFinished(() => group.remove());
  await group.limit(500);
  const [program = '', ...args] = [...group.launcher, '/bin/cat', '/proc/self/cgroup'];
  const { stdout } = await promisify(execFile)(program, args);
  expect(stdout).toContain(`/magnum-bench-${process.pid}\n`);
});
