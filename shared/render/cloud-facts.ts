/** A flavor as Nova knows it. */
export interface FlavorFacts {
  readonly name: string;
  readonly vcpus: number;
  /** MiB. */
  readonly ram: number;
  /** GiB; 0 = the flavor brings no root disk. */
  readonly disk: number;
}

export interface ImageFacts {
  readonly id: string;
  /** Glance property `hw_disk_bus`; '' when unset. */
  readonly diskBus: string;
}

/** What the names that nodes use mean in the cloud, keyed by the text that the user gave. */
export interface NodeFacts {
  readonly flavors: Readonly<Record<string, FlavorFacts>>;
  readonly images: Readonly<Record<string, ImageFacts>>;
  /** Name of the volume type for volumes without one; '' where the cloud has no default or no volume needs it. */
  readonly defaultVolumeType: string;
}

/** What all names in a ClusterIntent mean in the cloud. */
export interface CloudFacts extends NodeFacts {
  readonly externalNetworkId: string;
  readonly fixedNetworkId: string | null;
  readonly fixedSubnetId: string | null;
}

/** Ids of the Nova server groups that exist for the cluster. */
export interface ServerGroupFacts {
  readonly controlPlane: string;
  /** By nodegroup name. */
  readonly workers: Readonly<Record<string, string>>;
}

/** What CAPO and the workload's cloud integrations need to reach the cloud as the cluster. */
export interface CloudCredential {
  readonly applicationCredentialId: string;
  readonly applicationCredentialSecret: string;
  readonly authUrl: string;
  readonly region: string;
  /** Interface of the catalogue in clouds.yaml: public, internal or admin. */
  readonly endpointType: string;
  readonly verify: boolean;
  /** PEM bundle; null = the system's. */
  readonly caCertificate: string | null;
}
