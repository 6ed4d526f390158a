import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidError } from './errors.ts';
import { collectionPath, creationPath, objectPath } from './object-path.ts';
import { resources } from './resources.ts';

const namespace = 'magnum-system';
const collection = '/api/v1/namespaces/magnum-system/secrets';

describe('the path of an object', () => {
  it.each([
    { type: resources.secret, reference: { namespace, name: 'a.b-c' }, path: `${collection}/a.b-c` },
    {
      type: resources.cluster,
      reference: { namespace, name: 'kube-abcde' },
      path: '/apis/cluster.x-k8s.io/v1beta2/namespaces/magnum-system/clusters/kube-abcde',
    },
    {
      type: { ...resources.secret, apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false },
      reference: { name: 'x' },
      path: '/api/v1/namespaces/x',
    },
    {
      type: { ...resources.role, kind: 'ClusterRole', plural: 'clusterroles', namespaced: false },
      reference: { name: 'system:node' },
      path: '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode',
    },
  ])('of $type.kind is $path', ({ type, reference, path }) => {
    expect(objectPath(type, reference)).toBe(path);
  });

  it.each(['', '.', '..', '../x', 'a/b', 'a%2fb', 'A', 'ä', 'a b', 'a?b', 'a\n', 'a'.repeat(254), 'x'.repeat(10_000)])(
    'refuses the name %j in one short sentence',
    (name) => {
      expect(() => objectPath(resources.secret, { namespace, name })).toThrow(InvalidError);
      expect(() => objectPath(resources.secret, { namespace, name })).toThrow(/^.{1,150}$/s);
    },
  );

  it.each(['', '..', '../x', 'a/b', 'system:'])('refuses the name %j of a role', (name) => {
    expect(() => objectPath(resources.role, { namespace, name })).toThrow(InvalidError);
  });

  it.each(['', '..', 'a.b', 'a/b', 'a'.repeat(64), undefined])('refuses the namespace %j', (bad) => {
    expect(() => objectPath(resources.secret, { namespace: bad, name: 'x' })).toThrow(InvalidError);
    expect(() => creationPath(resources.secret, bad)).toThrow(InvalidError);
  });

  it('never leads out of the collection, whatever the name', () => {
    const name = fc.oneof(fc.string(), fc.stringMatching(/^[a-z0-9./%-]{1,20}$/));
    fc.assert(
      fc.property(name, (value) => {
        let path: string;
        try {
          path = objectPath(resources.secret, { namespace, name: value });
        } catch {
          return;
        }
        expect(new URL(path, 'https://server').pathname).toBe(`${collection}/${value}`);
        expect(value).not.toContain('/');
      }),
    );
  });
});

describe('the path of a list', () => {
  it('without a namespace covers them all', () => {
    expect(collectionPath(resources.cluster, undefined)).toBe('/apis/cluster.x-k8s.io/v1beta2/clusters');
  });
});
