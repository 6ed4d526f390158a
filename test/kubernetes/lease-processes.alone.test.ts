import type { ChildProcess } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { withLease } from '../../shared/kubernetes/lease.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { ask, exitCode, forkLeaseProcess, nextMessage } from './fork-lease-process.ts';
import type { LeaseProcessOptions } from './lease-process.ts';
import { createNumberSecret, secretText } from './number-secret.ts';
import { createTestNamespace, type TestNamespace } from './test-namespace.ts';

const durationSeconds = 3;

let test: TestNamespace;
beforeAll(async () => {
  test = await createTestNamespace('lease-processes');
});
afterAll(() => test.close());

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function startProcess(name: string, task: LeaseProcessOptions['task']): ChildProcess {
  const child = forkLeaseProcess({ namespace: test.namespace, name, durationSeconds, task });
  children.push(child);
  return child;
}

describe('processes that share a Lease', () => {
  it('do not lose an update of each other', async () => {
    await createNumberSecret(test, 'shared');
    const processes = [1, 2].map(() => startProcess('shared', { kind: 'count', rounds: 10 }));
    expect(await Promise.all(processes.map(nextMessage))).toEqual(['ready', 'ready']);
    for (const child of processes) child.send('start');
    expect(await Promise.all(processes.map(exitCode))).toEqual([0, 0]);
    expect(await secretText(test, 'shared', 'number')).toBe('20');
  });

  it('outlast one that is killed while it holds', async () => {
    await createNumberSecret(test, 'killed');
    const holder = startProcess('killed', { kind: 'hold' });
    expect(await nextMessage(holder)).toBe('held');
    holder.kill('SIGKILL');
    const options = { namespace: test.namespace, name: 'killed', durationSeconds, waitMs: 30_000 };
    expect(await withLease(test.client, options, async () => 'taken over')).toBe('taken over');
  });
});

describe('a holder that is stopped for longer than its Lease lasts', () => {
  it('writes nothing when it goes on, even past its own check', async () => {
    await createNumberSecret(test, 'stopped');
    const holder = startProcess('stopped', { kind: 'hold' });
    expect(await nextMessage(holder)).toBe('held');
    holder.kill('SIGSTOP');
    const options = { namespace: test.namespace, name: 'stopped', durationSeconds, waitMs: 30_000 };
    await withLease(test.client, options, async ({ assertHeld }) => {
      const reference = { namespace: test.namespace, name: 'stopped' };
      const value = Buffer.from('successor').toString('base64');
      assertHeld();
      await test.client.patch(resources.secret, reference, {
        operations: [{ op: 'add', path: '/data/writer', value }],
      });
      holder.kill('SIGCONT');
      expect(await ask(holder, 'write')).toBe('LeaseLostError');
      expect(await ask(holder, 'write-unchecked')).toBe('ConflictError');
      holder.send('end');
      expect(await exitCode(holder)).toBe(0);
      assertHeld();
    });
    expect(await secretText(test, 'stopped', 'writer')).toBe('successor');
  });

  it('may go on when it was stopped for less', async () => {
    await createNumberSecret(test, 'briefly');
    const holder = startProcess('briefly', { kind: 'hold' });
    expect(await nextMessage(holder)).toBe('held');
    holder.kill('SIGSTOP');
    holder.kill('SIGCONT');
    expect(await ask(holder, 'write')).toBe('written');
    holder.send('end');
    expect(await exitCode(holder)).toBe(0);
  });
});
