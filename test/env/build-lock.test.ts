import { mkdir, mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withBuildLock } from './build-lock.ts';

let root: string;
let lock: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'build-lock-test-'));
  lock = join(root, 'building');
});

afterEach(() => rm(root, { recursive: true }));

test('holders of the same lock work one after the other', async () => {
  const trace: string[] = [];
  const work = (name: string) => async () => {
    trace.push(`${name} begins`);
    await mkdir(join(root, name));
    trace.push(`${name} ends`);
  };
  await Promise.all([withBuildLock(lock, work('a')), withBuildLock(lock, work('b'))]);
  const first = trace[0]!.charAt(0);
  const second = first === 'a' ? 'b' : 'a';
  expect(trace).toEqual([`${first} begins`, `${first} ends`, `${second} begins`, `${second} ends`]);
});

test('the lock of a process that died is broken', async () => {
  await mkdir(lock);
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(lock, longAgo, longAgo);
  await expect(withBuildLock(lock, async () => 'done')).resolves.toBe('done');
});

test('work that fails leaves no lock', async () => {
  await expect(withBuildLock(lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(mkdir(lock)).resolves.toBeUndefined();
});
