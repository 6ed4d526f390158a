import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../kubernetes/testing/virtual-clock.ts';
import { Coalescer, type Share } from './coalescer.ts';

const windowMs = 800;

interface Computation {
  readonly began: number;
  ended: number;
}

interface Arrival {
  readonly at: number;
  readonly key: string;
}

/** What came of one arrival. */
interface Outcome {
  readonly arrived: number;
  readonly answered: number;
  readonly share: Share<Computation>;
}

/** Lets events arrive at times of a virtual clock; the n-th computation lasts as long as the n-th duration says. */
async function play(arrivals: readonly Arrival[], durations: readonly number[]) {
  const clock = new VirtualClock();
  const coalescer = new Coalescer<Computation>({ clock, windowMs });
  const computations = new Map<string, Computation[]>();
  let started = 0;
  const compute = async (key: string): Promise<Computation> => {
    const computation = { began: clock.monotonic(), ended: Number.POSITIVE_INFINITY };
    computations.set(key, [...(computations.get(key) ?? []), computation]);
    await clock.sleep(durations[started++ % durations.length] ?? 0);
    computation.ended = clock.monotonic();
    return computation;
  };
  const arrive = async ({ at, key }: Arrival): Promise<Outcome> => {
    await clock.sleep(at);
    const share = await coalescer.join(key, { signal: new AbortController().signal, compute: () => compute(key) });
    return { arrived: at, answered: clock.monotonic(), share };
  };
  const outcomes = Promise.all(arrivals.map(arrive));
  await clock.run();
  return { outcomes: await outcomes, computations, left: coalescer.size };
}

const arrivals = fc.array(fc.record({ at: fc.nat(5000), key: fc.constantFrom('a', 'b') }), { maxLength: 40 });
const durations = fc.array(fc.nat(2000), { minLength: 1, maxLength: 10 });

describe('whenever events come and however long computations take', () => {
  test('each is answered by a computation that began after it came, when that ends', async () => {
    await fc.assert(
      fc.asyncProperty(arrivals, durations, async (...life) => {
        for (const { arrived, answered, share } of (await play(...life)).outcomes) {
          expect(share.result.began).toBeGreaterThanOrEqual(arrived);
          expect(share.result.ended).toBe(answered);
        }
      }),
    );
  });

  test('computations of a key begin no sooner than a window after the last one ended', async () => {
    await fc.assert(
      fc.asyncProperty(arrivals, durations, async (...life) => {
        for (const ofKey of (await play(...life)).computations.values()) {
          for (const [index, { ended }] of ofKey.entries()) {
            expect(ofKey[index + 1]?.began ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(ended + windowMs);
          }
        }
      }),
    );
  });

  test('one of those who share a computation may claim it, and nothing is kept of it in the end', async () => {
    await fc.assert(
      fc.asyncProperty(arrivals, durations, async (...life) => {
        const { outcomes, computations, left } = await play(...life);
        expect(outcomes.filter(({ share }) => share.claim())).toHaveLength([...computations.values()].flat().length);
        expect(left).toBe(0);
      }),
    );
  });
});

test('nineteen of twenty wait for no more than a second when computations take 50 ms', async () => {
  const burst = Array.from({ length: 400 }, (_, index) => ({ at: index * 13, key: 'a' }));
  const { outcomes } = await play(burst, [50]);
  const waits = outcomes.map(({ arrived, answered }) => answered - arrived).toSorted((one, other) => one - other);
  expect(waits[Math.floor(waits.length * 0.95)]).toBeLessThanOrEqual(1000);
});

test('the first event of a quiet key is computed at once, another key meanwhile', async () => {
  const events = [
    { at: 0, key: 'a' },
    { at: 10, key: 'b' },
    { at: 2000, key: 'a' },
  ];
  const { computations } = await play(events, [100]);
  expect(computations.get('a')?.map(({ began }) => began)).toEqual([0, 2000]);
  expect(computations.get('b')?.map(({ began }) => began)).toEqual([10]);
});

describe('one that waits no longer', () => {
  const reason = new Error('time is up');
  const never = () => new Promise<never>(() => undefined);

  test('leaves the others their computation', async () => {
    const clock = new VirtualClock();
    const coalescer = new Coalescer<string>({ clock });
    const [leaving, staying] = [new AbortController(), new AbortController()];
    void coalescer.join('a', { signal: staying.signal, compute: async () => 'first' });
    const left = coalescer.join('a', { signal: leaving.signal, compute: async () => 'of the one that left' });
    const stayed = coalescer.join('a', { signal: staying.signal, compute: never });
    leaving.abort(reason);
    await expect(left).rejects.toBe(reason);
    await clock.run();
    expect((await stayed).result).toBe('of the one that left');
    expect((await stayed).claim()).toBe(true);
  });

  test('stops a computation that nobody else waits for, and the next one does not overlap it', async () => {
    const clock = new VirtualClock();
    const coalescer = new Coalescer<string>({ clock });
    const controller = new AbortController();
    const ended = Promise.withResolvers<string>();
    let stopped: unknown;
    const compute = (signal: AbortSignal) => {
      signal.addEventListener('abort', () => {
        stopped = signal.reason;
      });
      return ended.promise;
    };
    const alone = coalescer.join('a', { signal: controller.signal, compute });
    controller.abort(reason);
    await expect(alone).rejects.toBe(reason);
    expect(stopped).toBe(reason);
    let begun = false;
    const compute2 = async () => {
      begun = true;
      return 'second';
    };
    const next = coalescer.join('a', { signal: new AbortController().signal, compute: compute2 });
    await clock.run();
    expect(begun).toBe(false);
    ended.resolve('first');
    await clock.run();
    expect((await next).result).toBe('second');
  });

  test('takes a computation with it that has not begun', async () => {
    const clock = new VirtualClock();
    const coalescer = new Coalescer<string>({ clock });
    const controller = new AbortController();
    void coalescer.join('a', { signal: new AbortController().signal, compute: async () => 'first' });
    let begun = false;
    const compute = async () => {
      begun = true;
      return 'second';
    };
    const gone = coalescer.join('a', { signal: controller.signal, compute });
    controller.abort(reason);
    await expect(gone).rejects.toBe(reason);
    await clock.run();
    expect(begun).toBe(false);
    expect(coalescer.size).toBe(0);
  });

  test('does not even begin one', async () => {
    const coalescer = new Coalescer<never>();
    const joining = { signal: AbortSignal.abort(reason), compute: never };
    await expect(coalescer.join('a', joining)).rejects.toBe(reason);
    expect(coalescer.size).toBe(0);
  });
});

test('a computation that fails, fails all who share it, and the next one is tried', async () => {
  const clock = new VirtualClock();
  const coalescer = new Coalescer<string>({ clock });
  const { signal } = new AbortController();
  const failure = new Error('Kubernetes is down');
  const fail = async () => {
    throw failure;
  };
  const first = coalescer.join('a', { signal, compute: fail });
  const sharing = [1, 2].map(() => coalescer.join('a', { signal, compute: fail }));
  const all = Promise.allSettled([first, ...sharing]);
  await clock.run();
  for (const settled of await all) expect(settled).toEqual({ status: 'rejected', reason: failure });
  const again = coalescer.join('a', { signal, compute: async () => 'fine' });
  expect((await again).result).toBe('fine');
  await clock.run();
});
