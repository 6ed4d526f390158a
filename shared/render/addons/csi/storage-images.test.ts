import { expect, test } from 'vitest';
import type { AddonBuilder, AddonRelease } from '../addon.ts';
import { cinderCsi } from '../cinder-csi/cinder-csi.ts';
import { cinderCsiReleases } from '../cinder-csi/releases.ts';
import type { Image } from '../images/image.ts';
import { manilaCsi } from '../manila-csi/manila-csi.ts';
import { manilaCsiReleases } from '../manila-csi/releases.ts';
import { nfsCsi } from '../nfs-csi/nfs-csi.ts';
import { nfsCsiReleases } from '../nfs-csi/releases.ts';
import { imagesFrom } from '../testing/addon-input.ts';
import { storageInput } from './testing/storage-input.ts';

const upstream = imagesFrom(null);
const services = { volumeTypes: null };

const rows: readonly (readonly [string, AddonBuilder, readonly AddonRelease[]])[] = [
  ['Cinder CSI', cinderCsi, cinderCsiReleases],
  ['Manila CSI', manilaCsi, manilaCsiReleases],
  ['NFS CSI', nfsCsi, nfsCsiReleases],
];

test.each(rows)('%s asks the mirror for every image, and names each in its release', (_name, build, releases) => {
  const asked = new Set<Image>();
  const image = (one: Image) => {
    asked.add(one);
    return `mirror/${asked.size}`;
  };
  const text = JSON.stringify(build(storageInput({ services, image })));
  expect(text).not.toMatch(/"image":"(?!mirror\/)/);
  const named = releases.flatMap(({ images }) => images).map(upstream);
  expect(new Set(named)).toEqual(new Set([...asked].map(upstream)));
});
