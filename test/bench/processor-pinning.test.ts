import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parseCpuList } from './cpu-list.ts';
import { allowedProcessors, createPinning } from './processor-pinning.ts';

test.each([
  ['0-1', [0, 1]],
  ['0,2-4,7\n', [0, 2, 3, 4, 7]],
  ['3', [3]],
  ['', []],
])('the list %j names processors', (text, expected) => {
  expect(parseCpuList(text)).toEqual(expected);
});

test('the processors of a process stand in its status, whatever else does', () => {
  expect(allowedProcessors('Name:\tnode\nCpus_allowed:\t3\nCpus_allowed_list:\t0-1\nMems_allowed_list:\t0\n')).toEqual([
    0, 1,
  ]);
  expect(allowedProcessors('')).toEqual([]);
});

test('a command that is launched has one processor', async ({ skip }) => {
  const pinning = await createPinning();
  if (pinning === undefined) return skip('one processor alone, or no taskset');
  const [program = '', ...args] = [...pinning.launcher, '/bin/cat', '/proc/self/status'];
  const { stdout } = await promisify(execFile)(program, args);
  expect(allowedProcessors(stdout)).toHaveLength(1);
});
