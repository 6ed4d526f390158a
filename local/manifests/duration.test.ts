import { expect, test } from 'vitest';
import { durationMilliseconds } from './duration.ts';

test.each([
  ['PT0.2S', 200],
  ['PT2M', 120_000],
  ['PT1H1M1S', 3_661_000],
  ['P1DT1S', 86_401_000],
  ['PT0S', 0],
  ['P', undefined],
  ['PT', undefined],
  ['P1M', undefined],
  ['2s', undefined],
  ['', undefined],
])('%j is %j milliseconds', (text, milliseconds) => {
  expect(durationMilliseconds(text)).toBe(milliseconds);
});
