import { kubernetesMinor } from '../../../magnum/syntax/kubernetes-version.ts';
import type { AddonRelease } from '../addon.ts';
import type { Image } from '../images/image.ts';
import { type MinorPatches, minorReleases, minorTag } from '../minor-releases.ts';

/**
 * Newest patch release of cloud-provider-openstack by Kubernetes minor (its tags; original-facts §5.5). registry.k8s.io has none
 * that is older (`registry.k8s.io/images/k8s-staging-provider-os` of kubernetes/k8s.io).
 */
const patches: MinorPatches = {
  24: 6,
  25: 6,
  26: 4,
  27: 3,
  28: 3,
  29: 1,
  30: 3,
  31: 4,
  32: 1,
  33: 1,
  34: 1,
  35: 0,
  36: 0,
};
const oldest = 24;
const newest = 36;

/** The release of cloud-provider-openstack for a Kubernetes version; the nearest one where it has none. */
export function cloudProviderTag(kubernetesVersion: string): string {
  const minor = Math.min(Math.max(kubernetesMinor(kubernetesVersion), oldest), newest);
  return minorTag(patches, minor);
}

export const controllerManagerRepository = 'registry.k8s.io/provider-os/openstack-cloud-controller-manager';

export const cloudControllerManagerReleases = cloudProviderReleases({
  addon: 'cloud-controller-manager',
  folder: 'charts/openstack-cloud-controller-manager, manifests/controller-manager',
  repository: controllerManagerRepository,
});

interface Part extends Pick<Image, 'repository'>, Pick<AddonRelease, 'addon'> {
  /** Of cloud-provider-openstack, where the facts come from. */
  readonly folder: string;
}

/** A part of cloud-provider-openstack at each of its releases. */
export function cloudProviderReleases({ addon, folder, repository }: Part): readonly AddonRelease[] {
  const source = `kubernetes/cloud-provider-openstack ${folder}`;
  return minorReleases(patches, (tag) => ({ addon, source, images: [{ repository, tag }] }));
}
