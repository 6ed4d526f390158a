import { expect, test } from 'vitest';
import { nodeSelector } from './node-selector.ts';

test.each(['pool', 'a=b=c', '=a', 'a b=c', 'a=-', 'pool=infra,zone', `a=${'x'.repeat(64)}`])(
  'what is no list of labels is told: %s',
  (text) => {
    expect(nodeSelector(text)).toEqual({ problem: expect.stringContaining('is no list of labels such as') });
  },
);

test('a label cannot be demanded twice', () => {
  expect(nodeSelector('a=b,a=c')).toEqual({ problem: 'names the label a twice' });
});
