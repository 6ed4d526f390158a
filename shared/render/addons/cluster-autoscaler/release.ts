import type { AddonRelease } from '../addon.ts';
import type { Image } from '../images/image.ts';
import { type MinorPatches, minorReleases, minorTag } from '../minor-releases.ts';

/** What differs between the autoscaler's releases. */
export interface AutoscalerRelease {
  /** Image tag. */
  readonly tag: string;
  /** Whether it knows `--enforce-node-group-min-size`; an unknown flag ends it. */
  readonly enforcesMinimum: boolean;
  /** Whether it understands references of cluster.x-k8s.io/v1beta2; one that does not has to be told to read v1beta1. */
  readonly readsV1beta2: boolean;
}

/** Patch releases by Kubernetes minor, the ones whose images magnum-cluster-api uses (original-facts §5.7). */
const patches: MinorPatches = {
  22: 3,
  23: 1,
  24: 3,
  25: 3,
  26: 8,
  27: 8,
  28: 7,
  29: 5,
  30: 7,
  31: 5,
  32: 7,
  33: 5,
  34: 4,
  35: 1,
  36: 0,
};

/** The flag came with 1.26 (`config/flags` of the releases). */
const firstWithMinimum = 26;
/** 1.30.6, 1.31.4, 1.32.3, 1.33.1 and 1.34.0 have it (`clusterapi_unstructured.go`, infrastructureRef with apiGroup). */
const firstWithV1beta2 = 30;

const kubernetesMinor = /^v?1\.(\d{1,4})(?:\.|$)/;

/** The release that fits a Kubernetes version such as `v1.33.4`; null where the version cannot be read. */
export function autoscalerRelease(kubernetesVersion: string): AutoscalerRelease | null {
  const digits = kubernetesMinor.exec(kubernetesVersion)?.[1];
  if (digits === undefined) return null;
  const minor = Number(digits);
  return {
    tag: minorTag(patches, minor),
    enforcesMinimum: minor >= firstWithMinimum,
    readsV1beta2: minor >= firstWithV1beta2,
  };
}

/** The image as upstream publishes it; the operator says by an option of Magnum where it comes from. */
export function autoscalerImage({ tag }: Pick<AutoscalerRelease, 'tag'>): Image {
  return { repository: 'registry.k8s.io/autoscaling/cluster-autoscaler', tag };
}

export const clusterAutoscalerReleases: readonly AddonRelease[] = minorReleases(patches, (tag) => ({
  addon: 'cluster-autoscaler',
  source: 'kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi',
  images: [autoscalerImage({ tag })],
}));
