import type { AddonInput } from '../addon.ts';
import { cloudProviderReleases, cloudProviderTag } from '../cloud-controller-manager/releases.ts';
import type { Image } from '../images/image.ts';

const repository = 'registry.k8s.io/provider-os/k8s-keystone-auth';

/**
 * The release that fits the Kubernetes version. The label `cloud_provider_tag` does not count: its tag may be one that only
 * the cloud controller manager has.
 */
export function keystoneAuthImage({ kubernetesVersion }: AddonInput['intent']): Image {
  return { repository, tag: cloudProviderTag(kubernetesVersion) };
}

export const keystoneAuthReleases = cloudProviderReleases({
  addon: 'keystone-auth',
  folder: 'cmd/k8s-keystone-auth, examples/webhook',
  repository,
});
