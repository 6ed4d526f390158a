import { storageLabels } from '../../../magnum/labels/storage.ts';
import type { AddonRelease } from '../addon.ts';
import { sidecarImages } from '../csi/sidecar.ts';
import { snapshotControllerImage } from '../csi/snapshots.ts';
import type { Image } from '../images/image.ts';

export const manilaCsiImage: Image = {
  repository: 'registry.k8s.io/provider-os/manila-csi-plugin',
  tag: storageLabels.manila_csi_plugin_tag.default,
};

const { nodeDriverRegistrar, provisioner, resizer, snapshotter } = sidecarImages;

export const manilaCsiReleases: readonly AddonRelease[] = [
  {
    addon: 'manila-csi',
    version: manilaCsiImage.tag,
    usedFor: 'clouds with Manila; the labels `manila_csi_plugin_tag` and `csi_…_tag` name other tags',
    source: 'kubernetes/cloud-provider-openstack charts/manila-csi-plugin 2.32.0',
    images: [manilaCsiImage, nodeDriverRegistrar, provisioner, resizer, snapshotter, snapshotControllerImage],
  },
];
