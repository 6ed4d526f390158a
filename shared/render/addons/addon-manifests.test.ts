import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { everyAddon, everyNetwork, everyVersion } from '../../../test/addons/every-addon.ts';
import { addonManifests } from './addon-manifests.ts';
import { addonObjects, secretLimit } from './addon-secrets.ts';
import { addonCatalogue } from './catalogue.ts';
import { cloudConfigHash } from './cloud-conf/cloud-config-manifest.ts';
import { findCloudConfig, findMountingWorkloads } from './cloud-conf/move-manifests.ts';
import { mirroredName } from './images/mirror-rules.ts';
import { manifestIdentity } from './manifest-identity.ts';
import { imagesFrom } from './testing/addon-input.ts';

const everyInput = everyNetwork.flatMap((cni) => everyVersion.map((kubernetesVersion) => ({ cni, kubernetesVersion })));
const everyCase = everyInput.map(
  (changes) => [`${changes.cni.kind} ${changes.cni.tag}`, changes.kubernetesVersion, changes] as const,
);

/** Every text under a key `image`, wherever it stands. */
function imagesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    return key === 'image' && typeof part === 'string' ? [part] : imagesIn(part);
  });
}

const known = new Set(addonCatalogue.flatMap(({ images }) => images.map(imagesFrom(null))));

describe.each(everyCase)('with %s, Kubernetes %s', (_cni, _version, changes) => {
  const input = everyAddon(changes);
  const addons = addonManifests(input);
  const manifests = addons.flatMap((addon) => addon.manifests);

  test('every image stands in the catalogue, and a mirror has it by a rule', () => {
    const images = imagesIn(manifests);
    expect(images.length).toBeGreaterThan(15);
    expect(images.filter((image) => !known.has(image))).toEqual([]);
    const mirrored = addonManifests(everyAddon({ ...changes, imageRepository: 'mirror.example.org/k8s' }));
    const elsewhere = imagesIn(mirrored.map((addon) => addon.manifests));
    expect(elsewhere.filter((image) => !/^mirror\.example\.org\/k8s\/[a-z0-9/-]+:[\w.-]+$/.test(image))).toEqual([]);
  });

  test('no two manifests are about the same object, and each has a name that is one', () => {
    const identities = manifests.map((manifest) => JSON.stringify(manifestIdentity(manifest)));
    expect(new Set(identities).size).toBe(identities.length);
    for (const { metadata } of manifests) expect(metadata.name).toMatch(/^[a-z0-9](?:[a-z0-9.:-]*[a-z0-9])?$/);
  });

  test('each is the same in every render, and no Secret is too large', () => {
    const objects = addonObjects({ stackId: 'kube-abcde', uuid: input.intent.uuid }, addons);
    const again = addonObjects({ stackId: 'kube-abcde', uuid: input.intent.uuid }, addonManifests(everyAddon(changes)));
    expect(again).toEqual(objects);
    expect(objects.secrets).toHaveLength(addons.length);
    for (const { data } of objects.secrets) {
      expect(Buffer.byteLength(Object.values(data).join(''), 'base64')).toBeLessThanOrEqual(secretLimit);
    }
  });

  test('whatever reads cloud.conf starts again with another one', () => {
    const files = Object.fromEntries(manifests.map((manifest, index) => [String(index), JSON.stringify(manifest)]));
    const content = findCloudConfig(files);
    const workloads = findMountingWorkloads(files);
    expect(workloads.map(({ name }) => name)).toEqual(
      expect.arrayContaining(
        ['openstack-cloud-controller-manager', 'openstack-cinder-csi-controllerplugin'].slice(0, 1),
      ),
    );
    const hashes = new Set(workloads.map(({ hash }) => hash));
    expect([...hashes]).toEqual([content === null ? '' : cloudConfigHash(content)]);
  });
});

test('each image of the catalogue has a rule of its own for mirrors', () => {
  const missing = addonCatalogue
    .filter(({ addon }) => addon !== 'cluster-autoscaler')
    .flatMap(({ images }) => images.filter(({ repository }) => mirroredName(repository, []) === null));
  expect(missing).toEqual([]);
});

test('two images never have one name in a mirror', () => {
  const repositories = new Set(addonCatalogue.flatMap(({ images }) => images.map(({ repository }) => repository)));
  const names = [...repositories].map((repository) => mirroredName(repository, []));
  expect(new Set(names).size).toBe(repositories.size);
});

describe('an add-on is there', () => {
  const names = (input: ReturnType<typeof everyAddon>) => addonManifests(input).map(({ name }) => name);
  const all = everyAddon();

  test('in the order in which the cluster needs them', () => {
    expect(names(all)).toEqual([
      'calico',
      'cloud-controller-manager',
      'cinder-csi',
      'nfs-csi',
      'manila-csi',
      'keystone-auth',
    ]);
  });

  test.each([
    ['Cinder', { ...all, services: { ...all.services, volumeTypes: null } }, ['cinder-csi']],
    ['Manila', { ...all, services: { ...all.services, shareTypes: null } }, ['nfs-csi', 'manila-csi']],
  ])('only where the cloud has %s', (_what, input, missing) => {
    expect(names(all).filter((name) => !names(input).includes(name))).toEqual(missing);
  });

  test('only where the labels ask for it', () => {
    const { addons, apiServer } = all.intent;
    const off = everyAddon({
      cni: { kind: 'cilium', tag: 'v1.15.3' },
      apiServer: { ...apiServer, keystoneAuth: false },
      addons: {
        ...addons,
        cinderCsi: { ...addons.cinderCsi, enabled: false },
        manilaCsi: { ...addons.manilaCsi, enabled: false },
      },
    });
    expect(names(off)).toEqual(['cilium', 'cloud-controller-manager']);
  });
});

test('no manifest holds a secret but in a Secret', () => {
  const input = everyAddon();
  const others = addonManifests(input)
    .flatMap(({ manifests }) => manifests)
    .filter(({ kind }) => kind !== 'Secret');
  const text = z.string().parse(JSON.stringify(others));
  expect(text).not.toContain(input.access.applicationCredentialSecret);
  expect(text).not.toContain(Buffer.from(input.access.applicationCredentialSecret).toString('base64').slice(0, -4));
});
