import { expect, test, vi } from 'vitest';
import { kinds } from './infrastructure-objects.ts';
import { ObjectStore } from './object-store.ts';

const { type } = kinds.cluster;

function cluster(resourceVersion: string, uid = 'first') {
  const metadata = { name: 'a', namespace: 'b', uid, resourceVersion };
  return { apiVersion: type.apiVersion, kind: type.kind, metadata, spec: {} };
}

test('A state that is not newer changes nothing', () => {
  const onChange = vi.fn();
  const store = new ObjectStore(kinds.cluster, onChange);
  for (const version of ['9', '10', '9', '10']) store.put(cluster(version));
  expect(store.get('b/a')?.metadata.resourceVersion).toBe('10');
  expect(onChange).toHaveBeenCalledTimes(2);
});

test('The answer to a last write does not bring back what is gone, but a new object of the name is one', () => {
  const store = new ObjectStore(kinds.cluster, () => undefined);
  store.put(cluster('9'));
  store.remove('b/a');
  store.put(cluster('10'));
  expect(store.list()).toEqual([]);
  store.put(cluster('11', 'second'));
  expect(store.get('b/a')?.metadata.uid).toBe('second');
});

test('What is deleted and has no finalizer is gone, whatever its version', () => {
  const store = new ObjectStore(kinds.cluster, () => undefined);
  const deleted = cluster('9');
  Object.assign(deleted.metadata, { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['one'] });
  store.put(deleted);
  expect(store.list()).toHaveLength(1);
  store.put({ ...deleted, metadata: { ...deleted.metadata, finalizers: undefined } });
  store.put(deleted);
  expect(store.list()).toEqual([]);
});

test('A list removes what it does not name', () => {
  const onChange = vi.fn();
  const store = new ObjectStore(kinds.cluster, onChange);
  store.put(cluster('9'));
  store.replace([]);
  expect(store.list()).toEqual([]);
  expect(onChange).toHaveBeenLastCalledWith({ before: cluster('9') });
});
