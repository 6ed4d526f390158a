import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type LeaseOptions, withLease } from '../../shared/kubernetes/lease.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { exitCode, forkLeaseProcess, nextMessage } from './fork-lease-process.ts';
import { createNumberSecret, secretText } from './number-secret.ts';
import { sherlockPython } from './sherlock-environment.ts';
import { type SherlockOptions, SherlockRival } from './sherlock-rival.ts';
import { createTestNamespace, type TestNamespace } from './test-namespace.ts';

const durationSeconds = 3;

let test: TestNamespace;
let python: string;
beforeAll(async () => {
  python = await sherlockPython();
  test = await createTestNamespace('sherlock');
}, 600_000);
afterAll(() => test?.close());

const killAfterwards: { kill(): unknown }[] = [];
afterEach(() => {
  for (const child of killAfterwards.splice(0)) child.kill();
});

async function startSherlock(name: string, times: Partial<SherlockOptions> = {}): Promise<SherlockRival> {
  const rival = await SherlockRival.start({
    python,
    namespace: test.namespace,
    name,
    expire: 60,
    timeout: 1,
    ...times,
  });
  killAfterwards.push(rival);
  return rival;
}

function leaseOf(name: string, options: Partial<LeaseOptions> = {}): LeaseOptions {
  return { namespace: test.namespace, name, durationSeconds, ...options };
}

async function holderOf(name: string): Promise<string | undefined> {
  const lease = await test.client.find(resources.lease, { namespace: test.namespace, name });
  return lease?.spec?.holderIdentity;
}

describe("the original driver's lock", () => {
  it('makes us busy after two seconds while it is held, and is ours once it is released', async () => {
    const sherlock = await startSherlock('cluster-a');
    expect(await sherlock.ask('acquire')).toBe('acquired');
    const start = performance.now();
    await expect(withLease(test.client, leaseOf('cluster-a'), async () => undefined)).rejects.toMatchObject({
      name: 'BusyError',
      status: 429,
    });
    expect(performance.now() - start).toBeGreaterThanOrEqual(2_000);
    expect(performance.now() - start).toBeLessThan(6_000);
    expect(await sherlock.ask('release')).toBe('released');
    expect(await withLease(test.client, leaseOf('cluster-a'), async () => 'ours')).toBe('ours');
  });

  it('is taken over when it expired, and its late release takes nothing from us', async () => {
    const sherlock = await startSherlock('cluster-b', { expire: 3 });
    expect(await sherlock.ask('acquire')).toBe('acquired');
    await withLease(test.client, leaseOf('cluster-b', { waitMs: 20_000 }), async (lease) => {
      expect(await sherlock.ask('release')).toBe('released');
      expect(await holderOf('cluster-b')).toMatch(/^magnum-capi-functions_/);
      lease.assertHeld();
    });
  });

  it('cannot be had while we hold it, for longer than our Lease lasts unrenewed, and can when we release it', async () => {
    const sherlock = await startSherlock('cluster-c', { timeout: 2 * durationSeconds });
    await withLease(test.client, leaseOf('cluster-c'), async (lease) => {
      expect(await sherlock.ask('acquire')).toBe('timeout');
      lease.assertHeld();
    });
    expect(await sherlock.ask('acquire')).toBe('acquired');
    expect(await sherlock.ask('release')).toBe('released');
  });

  it('goes to sherlock when we crash, after no more than our duration', async () => {
    await createNumberSecret(test, 'cluster-d');
    const task = { kind: 'hold' } as const;
    const holder = forkLeaseProcess({ namespace: test.namespace, name: 'cluster-d', durationSeconds, task });
    killAfterwards.push(holder);
    expect(await nextMessage(holder)).toBe('held');
    const sherlock = await startSherlock('cluster-d', { timeout: 10 * durationSeconds });
    const crash = performance.now();
    holder.kill('SIGKILL');
    expect(await sherlock.ask('acquire')).toBe('acquired');
    expect(performance.now() - crash).toBeLessThan((durationSeconds + 4) * 1_000);
    expect(await sherlock.ask('release')).toBe('released');
  });

  it('and ours take turns without losing an update of each other', async () => {
    await createNumberSecret(test, 'cluster-e');
    const task = { kind: 'count', rounds: 10 } as const;
    const ours = forkLeaseProcess({ namespace: test.namespace, name: 'cluster-e', durationSeconds, task });
    killAfterwards.push(ours);
    const theirs = await startSherlock('cluster-e', { timeout: 60 });
    expect(await nextMessage(ours)).toBe('ready');
    ours.send('start');
    expect(await Promise.all([exitCode(ours), theirs.ask('count 10')])).toEqual([0, 'counted']);
    expect(await secretText(test, 'cluster-e', 'number')).toBe('20');
  });
});
