import { expect, test } from 'vitest';
import { offeredRange, offers } from './microversion.ts';

const nova = { id: 'v2.1', status: 'CURRENT', version: '2.96', min_version: '2.1' };

test.each([
  ['of one version', { version: nova }, 'v2.1', { min: '2.1', max: '2.96' }],
  ['of all versions', { versions: [{ id: 'v2.0', version: '' }, nova] }, 'v2.1', { min: '2.1', max: '2.96' }],
  [
    'of a path without minor',
    { versions: [{ ...nova, id: 'v3.0', version: '3.71', min_version: '3.0' }] },
    'v3',
    { min: '3.0', max: '3.71' },
  ],
  ['without microversions', { version: { id: 'v2.1', version: '', min_version: '' } }, 'v2.1', null],
  ['of another version', { version: nova }, 'v2', null],
  ['of another shape', { flavors: [] }, 'v2.1', null],
  ['of nothing', undefined, 'v2.1', null],
])('A document %s gives its range', (_, document, id, range) => {
  expect(offeredRange(document, id)).toEqual(range);
});

test.each([
  ['2.64', true],
  ['2.1', true],
  ['2.9', true],
  ['2.96', true],
  ['2.97', false],
  ['3.1', false],
  ['1.99', false],
] as const)('2.1 to 2.96 includes %s: %s', (wanted, included) => {
  expect(offers({ min: '2.1', max: '2.96' }, wanted)).toBe(included);
});
