import type { AddonRelease } from './addon.ts';
import { calicoReleases } from './calico/releases.ts';
import { ciliumReleases } from './cilium/releases.ts';
import { cinderCsiReleases } from './cinder-csi/releases.ts';
import { cloudControllerManagerReleases } from './cloud-controller-manager/releases.ts';
import { clusterAutoscalerReleases } from './cluster-autoscaler/release.ts';
import { keystoneAuthReleases } from './keystone-auth/releases.ts';
import { manilaCsiReleases } from './manila-csi/releases.ts';
import { nfsCsiReleases } from './nfs-csi/releases.ts';

/** Every release of every add-on with its images: all that the driver ever makes a cluster run beside Kubernetes itself. */
export const addonCatalogue: readonly AddonRelease[] = [
  ...calicoReleases,
  ...ciliumReleases,
  ...cloudControllerManagerReleases,
  ...cinderCsiReleases,
  ...manilaCsiReleases,
  ...nfsCsiReleases,
  ...keystoneAuthReleases,
  ...clusterAutoscalerReleases,
];
