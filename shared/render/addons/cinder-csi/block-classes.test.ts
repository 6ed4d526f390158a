import type { V1StorageClass } from '@kubernetes/client-node';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CloudServices } from '../addon.ts';
import { storageInput } from '../csi/testing/storage-input.ts';
import { blockClasses } from './block-classes.ts';

const { intent } = storageInput();
const annotation = 'storageclass.kubernetes.io/is-default-class';

function classesOf(volumeTypes: CloudServices['volumeTypes'], defaultVolumeType: string | null = null) {
  const services = { volumeTypes, defaultVolumeType, shareTypes: null };
  return blockClasses({ intent, services }) as readonly (V1StorageClass & { metadata: { name: string } })[];
}

function defaultsOf(...services: Parameters<typeof classesOf>) {
  return classesOf(...services)
    .filter(({ metadata }) => metadata.annotations?.[annotation] === 'true')
    .map(({ metadata }) => metadata.name);
}

test('a class makes volumes of its type where the first pod runs, which can grow and go with their claims', () => {
  expect(classesOf(['SSD fast'], 'SSD fast')).toEqual([
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'block-ssd-fast', annotations: { [annotation]: 'true' } },
      provisioner: 'cinder.csi.openstack.org',
      parameters: { type: 'SSD fast' },
      reclaimPolicy: 'Delete',
      volumeBindingMode: 'WaitForFirstConsumer',
      allowVolumeExpansion: true,
    },
  ]);
});

describe('the default class', () => {
  test.each<[string, readonly string[], string | null, string]>([
    ["is that of the cloud's default type", ['hdd', 'ssd'], 'ssd', 'block-ssd'],
    ['is that of the first type by name in a cloud without default', ['ssd', 'hdd'], null, 'block-hdd'],
    ['is that of the first type by name where the default one may not be used', ['ssd', 'hdd'], 'gold', 'block-hdd'],
    ['is one of its own for the migration type', ['ssd', '__DEFAULT__'], '__DEFAULT__', 'block-default'],
    ['is that of the migration type where there is no other', ['__DEFAULT__'], null, 'block-default'],
    ['is not that of the migration type where there is another', ['ssd', '__DEFAULT__'], null, 'block-ssd'],
    ['has a hash where its name is not valid', ['高速', 'ssd'], '高速', 'block.3991ac9f'],
  ])('%s', (_what, types, byDefault, name) => {
    expect(defaultsOf(types, byDefault)).toEqual([name]);
  });
});

test('the migration type has no class where it is not the default, as in the original driver', () => {
  const names = classesOf(['ssd', '__DEFAULT__'], 'ssd').map(({ metadata }) => metadata.name);
  expect(names).toEqual(['block-ssd']);
});

test.each([[null], [[]]])('a cloud with the types %j gets no class', (types) => {
  expect(classesOf(types)).toEqual([]);
});

describe('whatever the types are', () => {
  const type = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__DEFAULT__', 'default', 'ssd', 'SSD', ''));
  const types = fc.array(type, { minLength: 1, maxLength: 12 });
  const byDefault = fc.oneof(fc.constant(null), type);

  test('each has a class that names it, and exactly one is the default', () => {
    fc.assert(
      fc.property(types, byDefault, (volumeTypes, defaultVolumeType) => {
        const classes = classesOf(volumeTypes, defaultVolumeType);
        const named = new Set(classes.map(({ parameters }) => parameters?.['type']));
        expect(named).toEqual(new Set(volumeTypes.filter((one) => one !== '__DEFAULT__' || named.has(one))));
        expect(new Set(classes.map(({ metadata }) => metadata.name)).size).toBe(classes.length);
        expect(defaultsOf(volumeTypes, defaultVolumeType)).toHaveLength(1);
      }),
    );
  });

  test('their order does not matter', () => {
    fc.assert(
      fc.property(types, byDefault, (volumeTypes, defaultVolumeType) => {
        const classes = classesOf(volumeTypes, defaultVolumeType);
        expect(classesOf(volumeTypes.toReversed(), defaultVolumeType)).toEqual(classes);
      }),
    );
  });
});
