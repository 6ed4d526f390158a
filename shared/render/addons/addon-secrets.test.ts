import { describe, expect, test } from 'vitest';
import { addonObjects, secretLimit } from './addon-secrets.ts';
import { readDocuments } from './cloud-conf/manifest-files.ts';
import type { Manifest } from './manifest.ts';

const owner = { stackId: 'kube-abcde', uuid: 'd2bc26d5-2b8a-4d4c-9cf4-5a0e1f4e0d14' };

function manifest(name: string, text = ''): Manifest {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, annotations: { text } } };
}

function documents({ data }: { readonly data: Readonly<Record<string, string>> }): readonly unknown[] {
  return Object.values(data).flatMap((value) => readDocuments(Buffer.from(value, 'base64').toString('utf8')));
}

describe('add-ons', () => {
  const addons = [
    { name: 'calico' as const, manifests: [manifest('a', 'one\n---\ntwo: größe'), manifest('b')] },
    { name: 'cinder-csi' as const, manifests: [manifest('c')] },
  ];
  const { secrets, set } = addonObjects(owner, addons);

  test('have a Secret each, with their manifests in order', () => {
    expect(secrets.map(({ metadata }) => metadata.name)).toEqual(['kube-abcde-calico', 'kube-abcde-cinder-csi']);
    expect(secrets.map(documents)).toEqual(addons.map(({ manifests }) => manifests));
    for (const { type, metadata } of secrets) {
      expect(type).toBe('addons.cluster.x-k8s.io/resource-set');
      expect(metadata.labels).toMatchObject({ 'cluster.x-k8s.io/cluster-name': 'kube-abcde' });
    }
  });

  test('are all in one set, which keeps them applied to the one Cluster', () => {
    expect(set.metadata).toMatchObject({ name: 'kube-abcde-addons', namespace: 'magnum-system' });
    expect(set.spec).toEqual({
      clusterSelector: { matchLabels: { 'cluster-uuid': owner.uuid } },
      strategy: 'Reconcile',
      resources: secrets.map(({ metadata: { name } }) => ({ kind: 'Secret', name })),
    });
  });
});

test('an add-on that is too large for one Secret has several, none too large', () => {
  const manifests = Array.from({ length: 40 }, (_, index) => manifest(`m${index}`, 'ü'.repeat(50_000)));
  const { secrets, set } = addonObjects(owner, [{ name: 'cinder-csi', manifests }]);
  expect(secrets.map(({ metadata }) => metadata.name)).toEqual([
    'kube-abcde-cinder-csi',
    'kube-abcde-cinder-csi-2',
    'kube-abcde-cinder-csi-3',
    'kube-abcde-cinder-csi-4',
    'kube-abcde-cinder-csi-5',
  ]);
  expect(set.spec.resources).toHaveLength(5);
  expect(secrets.flatMap(documents)).toEqual(manifests);
  for (const { data } of secrets) {
    const size = Object.values(data).reduce((sum, value) => sum + Buffer.byteLength(value, 'base64'), 0);
    expect(size).toBeLessThanOrEqual(secretLimit);
  }
});
