import { describe, expect, test } from 'vitest';
import type { JsonPatchOperation } from '../../shared/kubernetes/kubernetes-object.ts';
import { applyJsonPatch, PatchError } from './json-patch.ts';

const object = { metadata: { annotations: { 'a/b': '1' } }, list: [{ name: 'x' }, { name: 'y' }] };

describe('a JSON Patch', () => {
  test.each<[string, JsonPatchOperation[], object]>([
    ['adds a field', [{ op: 'add', path: '/metadata/x', value: 1 }], { metadata: { ...object.metadata, x: 1 } }],
    [
      'finds a key with a slash',
      [{ op: 'replace', path: '/metadata/annotations/a~1b', value: '2' }],
      { metadata: { annotations: { 'a/b': '2' } } },
    ],
    ['removes a field', [{ op: 'remove', path: '/metadata/annotations' }], { metadata: {} }],
    ['removes an item', [{ op: 'remove', path: '/list/0' }], { list: [{ name: 'y' }] }],
    [
      'appends an item, where the one before is what it assumes',
      [
        { op: 'test', path: '/list/1/name', value: 'y' },
        { op: 'add', path: '/list/-', value: 'z' },
      ],
      { list: [{ name: 'x' }, { name: 'y' }, 'z'] },
    ],
    ['inserts an item', [{ op: 'add', path: '/list/1', value: 'z' }], { list: [{ name: 'x' }, 'z', { name: 'y' }] }],
    ['changes an item', [{ op: 'add', path: '/list/1/name', value: 'z' }], { list: [{ name: 'x' }, { name: 'z' }] }],
  ])('%s', (_title, operations, expected) => {
    expect(applyJsonPatch(object, operations)).toEqual({ ...object, ...expected });
  });

  test('leaves what it is applied to', () => {
    const copy = structuredClone(object);
    applyJsonPatch(object, [{ op: 'remove', path: '/list/0/name' }]);
    expect(object).toEqual(copy);
  });

  test.each<[string, JsonPatchOperation]>([
    ['a test that does not hold', { op: 'test', path: '/list/0/name', value: 'y' }],
    ['a field that is not there to be replaced', { op: 'replace', path: '/metadata/labels', value: {} }],
    ['a field that is not there to be removed', { op: 'remove', path: '/metadata/labels' }],
    ['a path below one that is not there', { op: 'add', path: '/metadata/labels/x', value: '1' }],
    ['an item that is not there', { op: 'replace', path: '/list/2', value: 'z' }],
  ])('is refused for %s', (_title, operation) => {
    expect(() => applyJsonPatch(object, [operation])).toThrow(PatchError);
  });
});
