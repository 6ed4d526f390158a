import { describe, expect, test } from 'vitest';
import { objectDiff } from './object-diff.ts';

describe('two versions of an object differ', () => {
  test.each<[string, unknown, unknown, unknown]>([
    ['in nothing', { spec: { a: [1] } }, { spec: { a: [1] } }, []],
    ['in a value', { spec: { a: 1 } }, { spec: { a: 2 } }, [{ path: 'spec.a', from: 1, to: 2 }]],
    ['in a field that comes', { spec: {} }, { spec: { a: { b: 1 } } }, [{ path: 'spec.a', to: { b: 1 } }]],
    ['in a field that goes', { spec: { a: null } }, { spec: {} }, [{ path: 'spec.a', from: null }]],
    [
      'in a key that is no name',
      { metadata: { labels: { 'a.b/c': '1' } } },
      { metadata: { labels: { 'a.b/c': '2' } } },
      [{ path: 'metadata.labels[a.b/c]', from: '1', to: '2' }],
    ],
    [
      'in an item that has a name, wherever it stands',
      { list: [{ name: 'x', value: 1 }, { name: 'y' }] },
      { list: [{ name: 'y' }, { name: 'x', value: 2 }] },
      [{ path: 'list[x].value', from: 1, to: 2 }],
    ],
    [
      'in an item that comes and one that goes',
      { list: [{ name: 'x' }] },
      { list: [{ name: 'y' }] },
      [
        { path: 'list[x]', from: { name: 'x' } },
        { path: 'list[y]', to: { name: 'y' } },
      ],
    ],
    [
      'in a list of values as a whole',
      { list: ['a', 'b'] },
      { list: ['b'] },
      [{ path: 'list', from: ['a', 'b'], to: ['b'] }],
    ],
    [
      'in a list with two items of one name as a whole',
      { list: [{ name: 'x' }, { name: 'x' }] },
      { list: [{ name: 'x' }] },
      [{ path: 'list', from: [{ name: 'x' }, { name: 'x' }], to: [{ name: 'x' }] }],
    ],
    ['in a list that becomes a map', { a: [] }, { a: {} }, [{ path: 'a', from: [], to: {} }]],
    ['in a type', { a: '1' }, { a: 1 }, [{ path: 'a', from: '1', to: 1 }]],
  ])('%s', (_title, before, after, expected) => {
    expect(objectDiff(before, after)).toEqual(expected);
  });

  test('but not in what the API server and the controllers keep of it', () => {
    const before = {
      metadata: { name: 'x', resourceVersion: '1', generation: 1, managedFields: [1] },
      status: { a: 1 },
    };
    const after = {
      metadata: { name: 'x', resourceVersion: '2', generation: 2, managedFields: [2] },
      status: { a: 2 },
    };
    expect(objectDiff(before, after)).toEqual([]);
  });
});
