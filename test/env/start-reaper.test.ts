import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isAlive } from './is-alive.ts';
import { type ProcessEnd, type Reaper, startReaper } from './start-reaper.ts';
import { waitFor } from './wait-for.ts';

/** Of a busy machine. */
const patient = { timeout: 20_000 };

let root: string;
let reaper: Reaper;
let ends: ProcessEnd[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'reaper-test-'));
  ends = [];
  reaper = startReaper({
    logPath: join(root, 'reaper.log'),
    dataDirectory: join(root, 'data'),
    onEnd: (end) => ends.push(end),
  });
});

afterEach(async () => {
  await reaper.stop();
  await rm(root, { recursive: true });
});

function start(name: string, program: string): void {
  reaper.start({ name, command: process.execPath, args: ['-e', program], env: {}, logPath: join(root, `${name}.log`) });
}

/** The process id of a process that has printed `ready`, which may come before its id is told. */
function ready(name: string): Promise<number> {
  const probe = async () => {
    expect(await readFile(join(root, `${name}.log`), 'utf8')).toContain('ready');
    const pid = reaper.pids.get(name);
    if (pid === undefined) throw new Error('its id is not known yet');
    return pid;
  };
  return waitFor(probe, { what: name });
}

const idle = "setInterval(() => {}, 1000); console.log('ready')";

test('a process that ignores SIGTERM is gone after stop', async () => {
  start('polite', idle);
  start('stubborn', `process.on('SIGTERM', () => console.log('ignored')); ${idle}`);
  const pids = [await ready('polite'), await ready('stubborn')];
  expect(pids.map(isAlive)).toEqual([true, true]);
  await reaper.stop();
  expect(pids.map(isAlive)).toEqual([false, false]);
  expect(await readFile(join(root, 'stubborn.log'), 'utf8')).toContain('ignored');
  expect(ends).toEqual([]);
});

test.each([
  ['exits', 'process.exit(3)', { how: 'exit code 3', crashed: true }],
  ['is killed', "process.kill(process.pid, 'SIGKILL')", { how: 'signal SIGKILL', crashed: false }],
])('a process that %s is told', async (_, program, expected) => {
  start('part', program);
  await waitFor(async () => expect(ends).toHaveLength(1), { what: 'the end' });
  expect(ends).toMatchObject([{ name: 'part', ...expected }]);
  expect(reaper.pids.size).toBe(0);
});

test('a program that cannot be started is told', async () => {
  reaper.start({ name: 'part', command: join(root, 'absent'), args: [], env: {}, logPath: join(root, 'part.log') });
  await waitFor(async () => expect(ends).toHaveLength(1), { what: 'the end' });
  expect(ends[0]).toMatchObject({ how: expect.stringContaining('ENOENT'), crashed: true });
});

test('one process is paused, resumed and ended while another runs on', async () => {
  start('first', idle);
  start('second', idle);
  const [first, second] = [await ready('first'), await ready('second')];
  const state = async () => (await readFile(`/proc/${first}/stat`, 'utf8')).split(' ')[2];
  reaper.signal('first', 'SIGSTOP');
  await expect.poll(state, patient).toBe('T');
  reaper.signal('first', 'SIGCONT');
  await expect.poll(state, patient).not.toBe('T');
  reaper.signal('first', 'SIGKILL');
  await expect
    .poll(() => ends, patient)
    .toEqual([{ kind: 'ended', name: 'first', how: 'signal SIGKILL', crashed: false }]);
  expect([first, second].map(isAlive)).toEqual([false, true]);
});

test('what is started during stop does not survive it', async () => {
  start('first', idle);
  await ready('first');
  const stopped = reaper.stop();
  start('late', idle);
  await stopped;
  await expect(stat(join(root, 'late.log'))).rejects.toThrow('ENOENT');
});
