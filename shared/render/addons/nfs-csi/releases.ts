import type { AddonRelease } from '../addon.ts';
import type { Image } from '../images/image.ts';

const repository = 'registry.k8s.io/sig-storage';

/** Its sidecars have tags of their own: their arguments are those of this release. */
export const nfsCsiImages = {
  driver: { repository: `${repository}/nfsplugin`, tag: 'v4.2.0' },
  provisioner: { repository: `${repository}/csi-provisioner`, tag: 'v3.3.0' },
  livenessProbe: { repository: `${repository}/livenessprobe`, tag: 'v2.8.0' },
  nodeDriverRegistrar: { repository: `${repository}/csi-node-driver-registrar`, tag: 'v2.6.2' },
} as const satisfies Readonly<Record<string, Image>>;

export const nfsCsiReleases: readonly AddonRelease[] = [
  {
    addon: 'nfs-csi',
    version: nfsCsiImages.driver.tag,
    usedFor: 'clouds with Manila, whose shares it mounts',
    source: 'kubernetes-csi/csi-driver-nfs deploy/v4.2.0',
    images: Object.values(nfsCsiImages),
  },
];
