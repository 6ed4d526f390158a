import { storageLabels } from '../../../magnum/labels/storage.ts';
import type { AddonRelease } from '../addon.ts';
import { sidecarImages } from '../csi/sidecar.ts';
import { snapshotControllerImage } from '../csi/snapshots.ts';
import type { Image } from '../images/image.ts';

export const cinderCsiImage: Image = {
  repository: 'registry.k8s.io/provider-os/cinder-csi-plugin',
  tag: storageLabels.cinder_csi_plugin_tag.default,
};

export const cinderCsiReleases: readonly AddonRelease[] = [
  {
    addon: 'cinder-csi',
    version: cinderCsiImage.tag,
    usedFor: 'clouds with Cinder; the labels `cinder_csi_plugin_tag` and `csi_…_tag` name other tags',
    source: 'kubernetes/cloud-provider-openstack charts/cinder-csi-plugin 2.32.0',
    images: [cinderCsiImage, ...Object.values(sidecarImages), snapshotControllerImage],
  },
];
