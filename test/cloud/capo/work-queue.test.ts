import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WorkQueue, type WorkQueueOptions } from './work-queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function queueOf(reconcile: WorkQueueOptions['reconcile']) {
  const onError = vi.fn();
  return { queue: new WorkQueue({ reconcile, onError }), onError };
}

test('An object is reconciled once at a time, and once more for all that came meanwhile', async () => {
  const ends: (() => void)[] = [];
  const reconcile = vi.fn(() => new Promise<undefined>((resolve) => ends.push(() => resolve(undefined))));
  const { queue } = queueOf(reconcile);
  for (const key of ['a', 'a', 'a', 'b']) queue.add(key);
  expect(reconcile.mock.calls).toEqual([['a'], ['b']]);
  ends.shift()?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(reconcile.mock.calls).toEqual([['a'], ['b'], ['a']]);
  for (const end of ends) end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reconcile).toHaveBeenCalledTimes(3);
});

test('What wants to be called again is, in time', async () => {
  const reconcile = vi.fn<WorkQueueOptions['reconcile']>().mockResolvedValueOnce(1_000).mockResolvedValue(undefined);
  const { queue } = queueOf(reconcile);
  queue.add('a');
  await vi.advanceTimersByTimeAsync(999);
  expect(reconcile).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(reconcile).toHaveBeenCalledTimes(2);
});

test('What fails is tried again after pauses that double up to five seconds', async () => {
  const times: number[] = [];
  const { queue, onError } = queueOf(() => {
    times.push(Date.now());
    return Promise.reject(new Error('no'));
  });
  queue.add('a');
  await vi.advanceTimersByTimeAsync(30_000);
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(pauses.slice(0, 9)).toEqual([50, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
  expect(onError).toHaveBeenCalledTimes(times.length);
});

test('After its stop nothing starts', async () => {
  const reconcile = vi.fn<WorkQueueOptions['reconcile']>().mockResolvedValue(1_000);
  const { queue } = queueOf(reconcile);
  queue.add('a');
  await vi.advanceTimersByTimeAsync(0);
  await queue.stop();
  queue.add('b');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reconcile.mock.calls).toEqual([['a']]);
});
