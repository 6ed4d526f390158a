import { describe, expect, test } from 'vitest';
import { createSampler, type SamplerSettings } from './sampler.ts';

const trace = (lastBytes: string) => `${'ab'.repeat(10)}${lastBytes}`;
const low = trace('000000000001');
const high = trace('ffffffffffff');
const parent = (sampled: boolean) => ({ traceId: low, spanId: 'b7ad6b7169203331', sampled, state: '' });

describe.each<[SamplerSettings['name'], { low: boolean; high: boolean }]>([
  ['always_on', { low: true, high: true }],
  ['always_off', { low: false, high: false }],
  ['traceidratio', { low: true, high: false }],
])('the sampler %s', (name, expected) => {
  const alone = createSampler({ name, ratio: 0.5 });
  const asParent = createSampler({ name: `parentbased_${name}` as SamplerSettings['name'], ratio: 0.5 });

  test('decides by itself where a trace begins', () => {
    for (const sampler of [alone, asParent]) {
      expect({ low: sampler(low, undefined), high: sampler(high, undefined) }).toEqual(expected);
    }
  });

  test('leaves it to the sender only where it is named so', () => {
    expect([asParent(high, parent(true)), asParent(low, parent(false))]).toEqual([true, false]);
    expect([alone(high, parent(true)), alone(low, parent(false))]).toEqual([expected.high, expected.low]);
  });
});

test.each([
  [0, 0],
  [1, 1000],
])('a ratio of %d takes %d of a thousand traces', (ratio, count) => {
  const sampler = createSampler({ name: 'traceidratio', ratio });
  const all = Array.from({ length: 1000 }, (_, index) =>
    sampler(
      trace(
        Math.floor((index * 2 ** 48) / 1000)
          .toString(16)
          .padStart(12, '0'),
      ),
      undefined,
    ),
  );
  expect(all.filter(Boolean)).toHaveLength(count);
});
