import type { ClusterIntent } from '../../magnum/cluster-intent.ts';
import type { CloudConfAccess } from './cloud-conf/cloud-conf.ts';
import type { Image } from './images/image.ts';
import type { Manifest } from './manifest.ts';

/** Add-ons of the workload cluster, in the order in which Cluster API applies them: pods need a network first. */
export const addonNames = [
  'calico',
  'cilium',
  'cloud-controller-manager',
  'cinder-csi',
  'nfs-csi',
  'manila-csi',
  'keystone-auth',
] as const;

export type AddonName = (typeof addonNames)[number];

/** What the cloud offers to the add-ons. */
export interface CloudServices {
  /** Names of Cinder's volume types; null = the cloud has no Cinder. */
  readonly volumeTypes: readonly string[] | null;
  /** Name of Cinder's default volume type; null = it has none. */
  readonly defaultVolumeType: string | null;
  /** Names of Manila's share types; null = the cloud has no Manila. */
  readonly shareTypes: readonly string[] | null;
}

/** All that the add-ons of one cluster depend on. */
export interface AddonInput {
  readonly intent: ClusterIntent;
  /** How the workload's cloud integrations reach the cloud. */
  readonly access: CloudConfAccess;
  readonly services: CloudServices;
  /** Content of the file that Magnum's option `[kubernetes] keystone_auth_default_policy` names; '' = none. */
  readonly keystonePolicy: string;
  /** The reference of an image for this cluster, by its registry mirror. */
  readonly image: (image: Image) => string;
}

/** Makes the manifests of one add-on. Pure: the same input gives the same bytes. */
export type AddonBuilder = (input: AddonInput) => readonly Manifest[];

/** What docs/addons.md says of one release of an add-on. */
export interface AddonRelease {
  readonly addon: AddonName | 'cluster-autoscaler';
  /** Upstream's own version, e.g. `v3.32.1`. */
  readonly version: string;
  /** When it is used, e.g. `Kubernetes 1.34` or `calico_tag v3.32.x`. */
  readonly usedFor: string;
  /** Where its facts come from: repository and path of the upstream file. */
  readonly source: string;
  readonly images: readonly Image[];
}
