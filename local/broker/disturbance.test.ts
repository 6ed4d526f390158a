import { expect, test } from 'vitest';
import { instantClock } from '../../shared/kubernetes/testing/instant-clock.ts';
import { createDispatcher, type Disturbance } from './disturbance.ts';

async function order(disturbance: Disturbance, deliveries: readonly string[]): Promise<readonly string[]> {
  const gone: string[] = [];
  const dispatch = createDispatcher(disturbance, instantClock());
  for (const delivery of deliveries) dispatch(() => void gone.push(delivery));
  // The clock's sleep passes before this turn of the event loop ends.
  await new Promise((resolve) => setImmediate(resolve));
  return gone;
}

test.each<[string, Disturbance, string]>([
  ['goes at once', {}, 'abc'],
  ['goes twice', { duplicates: 1 }, 'aabbcc'],
  ['goes in reverse order, group by group, and the rest after the longest hold', { reorder: 2 }, 'bac'],
  ['goes twice and in reverse order', { duplicates: 1, reorder: 3 }, 'baaccb'],
])('a delivery %s', async (_title, disturbance, expected) => {
  expect((await order(disturbance, ['a', 'b', 'c'])).join('')).toBe(expected);
});
