import { describe, expect, test } from 'vitest';
import { droppedObjects, manifestIdentity } from './manifest-identity.ts';

function identity(kind: string, name: string, apiVersion = 'v1', namespace: string | null = 'kube-system') {
  return { apiVersion, kind, name, namespace };
}

describe('a document', () => {
  test.each([
    ['with a namespace', { namespace: 'kube-system' }, 'kube-system'],
    ['without one', {}, null],
    ['with none', { namespace: null }, null],
  ])('%s is known by its name', (_what, metadata, namespace) => {
    const document = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', ...metadata } };
    expect(manifestIdentity(document)).toEqual(identity('ConfigMap', 'a', 'v1', namespace));
  });

  test.each([null, 'text', [], {}, { apiVersion: 'v1', kind: 'List', items: [] }])(
    'that is none is no object: %j',
    (document) => {
      expect(manifestIdentity(document)).toBeNull();
    },
  );
});

describe('what a release dropped', () => {
  test('is what nothing brings any more, once', () => {
    const before = [identity('ConfigMap', 'a'), identity('ConfigMap', 'b'), identity('ConfigMap', 'b')];
    expect(droppedObjects(before, [identity('ConfigMap', 'a')])).toEqual([identity('ConfigMap', 'b')]);
  });

  test('is told apart by group, kind, namespace and name, not by version', () => {
    const before = [
      identity('PodDisruptionBudget', 'a', 'policy/v1beta1'),
      identity('ConfigMap', 'a', 'v1', 'default'),
      identity('Role', 'a', 'one.io/v1'),
    ];
    const after = [
      identity('PodDisruptionBudget', 'a', 'policy/v1'),
      identity('ConfigMap', 'a'),
      identity('Role', 'a', 'other.io/v1'),
    ];
    expect(droppedObjects(before, after)).toEqual(before.slice(1));
  });

  test.each(['CustomResourceDefinition', 'Namespace', 'Secret', 'StorageClass', 'VolumeSnapshotClass'])(
    'stays where users depend on it: %s',
    (kind) => {
      expect(droppedObjects([identity(kind, 'a', 'x/v1', null)], [])).toEqual([]);
    },
  );

  test('is not the account that every namespace has, though the original names it', () => {
    const accounts = ['default', 'other'].map((name) => identity('ServiceAccount', name));
    expect(droppedObjects(accounts, [])).toEqual(accounts.slice(1));
  });
});
