import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { answerTo, requestHeaders } from './testing/host-under-test.ts';

const program = fileURLToPath(new URL('./testing/slow-function.ts', import.meta.url));
const line = z.looseObject({ msg: z.string(), level: z.string(), port: z.number().optional() });

interface RunningFunction {
  readonly child: ChildProcess;
  readonly exit: Promise<unknown[]>;
  readonly lines: readonly z.infer<typeof line>[];
  /** Waits for a line of the log. */
  until(msg: string): Promise<z.infer<typeof line>>;
}

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function run(environment: Record<string, string> = {}): RunningFunction {
  const child = spawn(process.execPath, [program], { env: environment, stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const lines: z.infer<typeof line>[] = [];
  createInterface({ input: child.stdout }).on('line', (text) => lines.push(line.parse(JSON.parse(text))));
  const until = async (msg: string) => {
    await expect.poll(() => lines.map((entry) => entry.msg), { timeout: 50_000 }).toContain(msg);
    return lines.find((entry) => entry.msg === msg)!;
  };
  return { child, exit: once(child, 'exit'), lines, until };
}

async function send(running: RunningFunction, deed: string) {
  const { port } = await running.until('listening');
  const headers = { ...requestHeaders, 'ce-type': 'do' };
  const outgoing = request({ host: '127.0.0.1', port, method: 'POST', headers, agent: false });
  outgoing.end(JSON.stringify(deed));
  const answer = answerTo(outgoing);
  answer.catch(() => undefined);
  await running.until('begun');
  return answer.then(
    ({ status }) => status,
    (error) => error.code,
  );
}

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  test('ends an idle function with code 0', async () => {
    const running = run();
    await running.until('listening');
    running.child.kill(signal);
    expect(await running.exit).toEqual([0, null]);
  }, 60_000);

  test('lets an event under way be answered first', async () => {
    const running = run();
    const answer = send(running, 'wait');
    await running.until('begun');
    running.child.kill(signal);
    await running.until('stopping');
    running.child.stdin?.write('go on');
    expect(await answer).toBe(200);
    expect(await running.exit).toEqual([0, null]);
    expect(running.lines.at(-1)).toMatchObject({ msg: 'event', outcome: 'accepted' });
  }, 60_000);
});

test('a second signal ends it at once with code 1', async () => {
  const running = run();
  const answer = send(running, 'hang');
  await running.until('begun');
  running.child.kill('SIGTERM');
  await running.until('stopping');
  running.child.kill('SIGTERM');
  expect(await running.exit).toEqual([1, null]);
  expect(await answer).toBe('ECONNRESET');
}, 60_000);

test.each(['reject', 'throw'])(
  'what nobody catches (%s) is logged without secrets and ends it with code 1',
  async (deed) => {
    const running = run();
    const answer = send(running, deed);
    expect(await running.exit).toEqual([1, null]);
    await answer;
    expect(running.lines.at(-1)).toMatchObject({
      level: 'fatal',
      err: { message: 'nobody caught this: password=[redacted]' },
    });
    expect(JSON.stringify(running.lines)).not.toContain('hunter2');
  },
  20_000,
);

test('a port that is taken ends it with code 1', async () => {
  const first = run();
  const { port } = await first.until('listening');
  const second = run({ PORT: String(port) });
  expect(await second.exit).toEqual([1, null]);
  expect(second.lines).toMatchObject([{ level: 'fatal', err: { code: 'EADDRINUSE' } }]);
}, 60_000);
