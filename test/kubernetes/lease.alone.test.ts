import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../shared/kubernetes/clock.ts';
import { type HeldLease, type LeaseOptions, withLease } from '../../shared/kubernetes/lease.ts';
import { type LeaseObject, microTime } from '../../shared/kubernetes/lease-record.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { waitFor } from '../env/wait-for.ts';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';
import { createTestNamespace, type TestNamespace } from './test-namespace.ts';

const hourMs = 3_600_000;

let test: TestNamespace;
let proxy: FaultyProxy;
beforeAll(async () => {
  test = await createTestNamespace('lease');
  proxy = await startFaultyProxy(test.connection);
});
afterAll(() => {
  proxy.close();
  test.close();
});

let count = 0;
/** A Lease that no other test uses, short so that the tests are. */
function newLease(options: Partial<LeaseOptions> = {}) {
  count++;
  return { namespace: test.namespace, name: `cluster-${count}`, durationSeconds: 3, waitMs: 300, ...options };
}

function read(lease: LeaseOptions): Promise<LeaseObject | undefined> {
  return test.client.find(resources.lease, { namespace: lease.namespace, name: lease.name });
}

/** A Lease as another program would have written it. */
function write(lease: LeaseOptions, spec: LeaseObject['spec'] = {}): Promise<LeaseObject> {
  const { namespace, name } = lease;
  const renewTime = microTime(Date.now());
  return test.client.create(resources.lease, {
    metadata: { namespace, name },
    spec: { holderIdentity: 'another', acquireTime: renewTime, renewTime, ...spec },
  });
}

function change(lease: LeaseOptions, path: string, value: unknown): Promise<LeaseObject> {
  const { namespace, name } = lease;
  return test.client.patch(resources.lease, { namespace, name }, { operations: [{ op: 'add', path, value }] });
}

function lossOf(lease: HeldLease): Promise<unknown> {
  return new Promise((resolve) => {
    lease.signal.addEventListener('abort', () => resolve(lease.signal.reason));
  });
}

const lost = { name: 'LeaseLostError', status: 429, retryable: true };

describe('a Lease', () => {
  it('is acquired, renewed while the work lasts, and deleted', async () => {
    const options = newLease({ holder: 'create' });
    const result = await withLease(test.client, options, async (lease) => {
      const acquired = await read(options);
      expect(acquired?.spec).toMatchObject({
        leaseDurationSeconds: 3,
        holderIdentity: expect.stringMatching(/^create_/),
      });
      expect(acquired?.spec?.renewTime).toMatch(/\.\d{6}Z$/);
      for (let renewals = 0; renewals < 3; renewals++) {
        const before = (await read(options))?.spec?.renewTime;
        await waitFor(async () => expect((await read(options))?.spec?.renewTime).not.toBe(before), { what: 'renewal' });
      }
      lease.assertHeld();
      return 'done';
    });
    expect(result).toBe('done');
    expect(await read(options)).toBeUndefined();
  });

  it('costs two calls when nobody else wants it', async () => {
    const verbs: string[] = [];
    await withLease(
      test.client.observedBy((request) => verbs.push(request.verb)),
      newLease(),
      async () => undefined,
    );
    expect(verbs).toEqual(['create', 'delete']);
  });

  it('is refused as busy, naming the holder, after the time to wait', async () => {
    const options = newLease();
    await withLease(test.client, options, async () => {
      const start = performance.now();
      await expect(withLease(test.connect(), options, async () => undefined)).rejects.toMatchObject({
        name: 'BusyError',
        status: 429,
        retryAfter: 2,
        message: expect.stringMatching(
          /cluster-\d+ is held by magnum-capi-functions_.* until .*Z unless it is renewed/,
        ),
      });
      expect(performance.now() - start).toBeGreaterThanOrEqual(300);
    });
  });

  it('goes to whoever waits as soon as it is released', async () => {
    const options = newLease({ waitMs: 10_000 });
    let second: Promise<string> | undefined;
    await withLease(test.client, options, async () => {
      second = withLease(test.client, options, async () => 'second');
      await delay(500);
    });
    expect(await second).toBe('second');
  });

  it('is held by one at a time', async () => {
    const options = newLease({ waitMs: 30_000 });
    let holders = 0;
    const turns = Array.from({ length: 8 }, () =>
      withLease(test.client, options, async () => {
        holders++;
        await delay(20);
        expect(holders).toBe(1);
        holders--;
      }),
    );
    await Promise.all(turns);
  });

  it.each([0, 16, 1.5, Number.NaN])('cannot last %d s', async (durationSeconds) => {
    await expect(withLease(test.client, newLease({ durationSeconds }), async () => undefined)).rejects.toThrow(
      RangeError,
    );
  });
});

describe('a Lease whose holder crashed', () => {
  it.each([
    { what: 'on time', skew: 0 },
    { what: 'an hour late', skew: -hourMs },
    { what: 'an hour ahead', skew: hourMs },
  ])('is taken over after its duration, not before, though the clock of that holder was $what', async ({ skew }) => {
    const options = newLease({ waitMs: 10_000 });
    await write(options, { renewTime: microTime(Date.now() + skew), leaseDurationSeconds: 2 });
    const start = performance.now();
    await withLease(test.client, options, async () => {
      const waited = performance.now() - start;
      expect(waited).toBeGreaterThan(2_000);
      expect(waited).toBeLessThan(8_000);
      expect((await read(options))?.spec?.holderIdentity).toMatch(/^magnum-capi-functions_/);
    });
    expect(await read(options)).toBeUndefined();
  });

  it('is taken over by one alone', async () => {
    const options = newLease({ waitMs: 10_000 });
    await write(options, { leaseDurationSeconds: 1 });
    let holders = 0;
    const turn = () =>
      withLease(test.connect(), options, async () => {
        holders++;
        await delay(50);
        expect(holders).toBe(1);
        holders--;
      });
    await Promise.all([turn(), turn(), turn()]);
  });

  it('is never taken over when it has no duration', async () => {
    const options = newLease({ waitMs: 500 });
    await write(options);
    await expect(withLease(test.client, options, async () => undefined)).rejects.toThrow(/is held by another\.$/);
  });
});

describe('a holder or rival with a wrong clock', () => {
  it.each([-hourMs, hourMs])('%d ms off writes and judges by the clock of the API server', async (skew) => {
    const clock: Clock = { ...systemClock, now: () => Date.now() + skew };
    const options = newLease({ clock });
    await withLease(test.connect({ clock }), options, async () => {
      const lease = await read(options);
      const stored = Date.parse(lease?.metadata?.managedFields?.[0]?.time ?? '');
      expect(Math.abs(Date.parse(lease?.spec?.renewTime ?? '') - stored)).toBeLessThan(3_000);
      await expect(withLease(test.connect(), options, async () => undefined)).rejects.toMatchObject({ code: 'busy' });
    });
    await withLease(test.connect(), options, async () => {
      await expect(withLease(test.connect({ clock }), options, async () => undefined)).rejects.toMatchObject({
        code: 'busy',
      });
    });
  });
});

describe('the loss of a Lease', () => {
  it.each([
    { what: 'another takes it', take: (lease: LeaseOptions) => change(lease, '/spec/holderIdentity', 'thief') },
    {
      what: 'it is deleted',
      take: ({ namespace, name }: LeaseOptions) => test.client.delete(resources.lease, { namespace, name }),
    },
  ])('is noticed at the next renewal when $what', async ({ take }) => {
    const options = newLease();
    await withLease(test.client, options, async (lease) => {
      const loss = lossOf(lease);
      await take(options);
      expect(await loss).toMatchObject(lost);
      expect(() => lease.assertHeld()).toThrow(expect.objectContaining(lost));
    });
    const left = await read(options);
    expect(left?.spec?.holderIdentity ?? 'nobody').toMatch(/thief|nobody/);
  });

  it('is assumed at two thirds of the duration when the API server cannot be reached', async () => {
    const options = newLease();
    proxy.decide = () => 'none';
    await withLease(test.connect({ server: proxy.url }), options, async (lease) => {
      const start = performance.now();
      proxy.decide = () => 'unreachable';
      expect(await lossOf(lease)).toMatchObject(lost);
      expect(performance.now() - start).toBeLessThan(2_900);
      expect(() => lease.assertHeld()).toThrow(expect.objectContaining(lost));
      proxy.decide = () => 'none';
    });
    expect(await read(options)).toBeDefined();
  });

  it('is noticed by the check before a write although the event loop stood still', async () => {
    await withLease(test.client, newLease(), async (lease) => {
      const nothing = new Int32Array(new SharedArrayBuffer(4));
      Atomics.wait(nothing, 0, 0, 2_100);
      expect(lease.signal.aborted).toBe(false);
      expect(() => lease.assertHeld()).toThrow(expect.objectContaining(lost));
      expect(lease.signal.aborted).toBe(true);
    });
  });

  it('is certain after the release', async () => {
    let held: HeldLease | undefined;
    await withLease(test.client, newLease(), async (lease) => {
      held = lease;
    });
    expect(held?.assertHeld).toThrow('was released');
  });
});

describe('an answer that is lost', () => {
  it('does not lose the Lease when it was that of the creation', async () => {
    const options = newLease();
    let faults = 1;
    proxy.decide = (method) => (method === 'POST' && faults-- > 0 ? 'lose-answer' : 'none');
    const client = test.connect({ server: proxy.url });
    expect(await withLease(client, options, async () => 'held')).toBe('held');
    expect(await read(options)).toBeUndefined();
  });

  it('does not lose the Lease when it was that of a renewal', async () => {
    const options = newLease();
    let renewals = 0;
    proxy.decide = (method) => (method === 'PATCH' && renewals++ === 0 ? 'lose-answer' : 'none');
    await withLease(test.connect({ server: proxy.url }), options, async (lease) => {
      await waitFor(async () => expect(renewals).toBeGreaterThanOrEqual(3), { what: 'renewals' });
      lease.assertHeld();
    });
    expect(await read(options)).toBeUndefined();
  });
});

describe('the release', () => {
  it('leaves the Lease to expire, and the result as it is, when it cannot be deleted', async () => {
    const options = newLease();
    proxy.decide = (method) => (method === 'DELETE' ? 'unreachable' : 'none');
    const client = test.connect({ server: proxy.url });
    expect(await withLease(client, options, async () => 'result')).toBe('result');
    expect(await read(options)).toBeDefined();
  });

  it('happens also when the work fails, and keeps its error', async () => {
    const options = newLease();
    const work = async () => Promise.reject(new Error('the work failed'));
    await expect(withLease(test.client, options, work)).rejects.toThrow('the work failed');
    expect(await read(options)).toBeUndefined();
  });

  it('never deletes a version that it does not know', async () => {
    const options = newLease();
    await withLease(test.client, options, async () => change(options, '/metadata/labels', { touched: 'yes' }));
    expect(await read(options)).toBeDefined();
  });
});
