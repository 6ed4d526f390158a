export type OperatingSystem = 'ubuntu' | 'debian' | 'rockylinux' | 'flatcar';

/** A volume of a node. */
export interface VolumeIntent {
  /** GiB; 0 = no such volume. */
  readonly size: number;
  /** Volume type as the user named it; null = the cloud's default type. */
  readonly type: string | null;
}

export interface ServerGroupIntent {
  readonly policy: 'affinity' | 'anti-affinity' | 'soft-affinity' | 'soft-anti-affinity';
  /** The `different_failure_domain` scheduler hint. */
  readonly differentFailureDomain: boolean;
}

export interface Taint {
  readonly key: string;
  readonly value: string;
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
}

/** A fixed number of nodes, or a range within which the cluster autoscaler moves. */
export type NodegroupSize =
  | { readonly kind: 'fixed'; readonly replicas: number }
  | { readonly kind: 'autoscaled'; readonly minimum: number; readonly maximum: number };

/** What Magnum asks of one worker nodegroup; a label that the nodegroup lacks is taken from the cluster. */
export interface NodegroupIntent {
  /** RFC 1123 label, at most 34 characters. */
  readonly name: string;
  readonly role: string;
  readonly size: NodegroupSize;
  /** Name or id. */
  readonly flavor: string;
  /** Name or id. */
  readonly image: string;
  readonly bootVolume: VolumeIntent;
  readonly bootVolumeAvailabilityZone: string | null;
  readonly dockerVolume: VolumeIntent;
  /** Failure domain of the machines and zone of their extra volumes. */
  readonly availabilityZone: string | null;
  /** Registry prefix without trailing slash; null = upstream registries. */
  readonly imageRepository: string | null;
  readonly serverGroup: ServerGroupIntent;
  readonly autoHealing: boolean;
  readonly nodeLabels: Readonly<Record<string, string>>;
  readonly nodeTaints: readonly Taint[];
}

export interface ControlPlaneIntent {
  /** Odd, at least 1. */
  readonly replicas: number;
  /** Name or id. */
  readonly flavor: string;
  /** Name or id. */
  readonly image: string;
  readonly availabilityZones: readonly string[];
  readonly serverGroup: ServerGroupIntent;
  readonly autoHealing: boolean;
}

export interface NetworkIntent {
  /** Name or id. */
  readonly externalNetwork: string;
  /** Name or id; null = a network is made for the cluster. */
  readonly fixedNetwork: string | null;
  /** Name or id; only together with fixedNetwork. */
  readonly fixedSubnet: string | null;
  /** CIDR of a subnet that is made for the cluster. */
  readonly nodeCidr: string;
  readonly dnsNameservers: readonly string[];
  readonly podCidr: string;
  readonly serviceCidr: string;
  readonly serviceDomain: string;
}

export interface OidcIntent {
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly usernameClaim: string;
  readonly usernamePrefix: string;
  readonly groupsClaim: string;
  readonly groupsPrefix: string;
}

/** Limits of the API server's audit log; counts as decimal text, as the API server's flags take them. */
export interface AuditLogIntent {
  readonly maxAge: string;
  readonly maxBackup: string;
  readonly maxSize: string;
}

export interface ApiServerIntent {
  /** Load balancer in front of the API; null fields = CAPO's default. */
  readonly loadBalancer: {
    readonly enabled: boolean;
    readonly provider: string | null;
    readonly flavor: string | null;
    readonly availabilityZone: string | null;
  };
  readonly floatingIpEnabled: boolean;
  readonly floatingIp: string | null;
  readonly certSans: readonly string[];
  /** Comma-joined Go names of cipher suites. */
  readonly tlsCipherSuites: string;
  /** Starts with NodeRestriction, without duplicates. */
  readonly admissionPlugins: readonly string[];
  readonly oidc: OidcIntent | null;
  readonly auditLog: AuditLogIntent | null;
  readonly keystoneAuth: boolean;
}

export interface KubeletIntent {
  /** Comma-joined Go names of cipher suites. */
  readonly tlsCipherSuites: string;
  readonly servingCertVerification: boolean;
}

/** How the cloud controller manager makes load balancers for Services. */
export interface LoadBalancerIntent {
  readonly provider: string;
  readonly algorithm: 'ROUND_ROBIN' | 'LEAST_CONNECTIONS' | 'SOURCE_IP' | 'SOURCE_IP_PORT';
  readonly healthMonitor: boolean;
}

export interface ProxyIntent {
  readonly http: string | null;
  readonly https: string | null;
  readonly noProxy: string | null;
}

/** Image tags of the containers that stand beside each CSI driver. */
export interface CsiSidecarTags {
  readonly attacher: string;
  readonly livenessProbe: string;
  readonly nodeDriverRegistrar: string;
  readonly provisioner: string;
  readonly resizer: string;
  readonly snapshotter: string;
}

/** What the labels ask of the add-ons; whether the cloud has the service behind one is not known here. */
export interface AddonIntent {
  /** Hubble's relay and user interface; only with Cilium. */
  readonly hubbleUi: boolean;
  /** Image tag of the cloud controller manager; null = the one that fits the Kubernetes version. */
  readonly cloudProviderTag: string | null;
  readonly cinderCsi: {
    readonly enabled: boolean;
    readonly pluginTag: string;
    /** Zone of all volumes of pods; null = that of the node which uses them. */
    readonly availabilityZone: string | null;
  };
  readonly manilaCsi: {
    readonly enabled: boolean;
    readonly pluginTag: string;
    /** Neutron share network; null = no StorageClass for shares. */
    readonly shareNetworkId: string | null;
  };
  readonly csiSidecarTags: CsiSidecarTags;
}

/** Everything that a request asks for, typed and validated, names not yet resolved in the cloud. */
export interface ClusterIntent {
  readonly uuid: string;
  readonly projectId: string;
  readonly userId: string;
  /** Name of the Cluster object if Magnum knows one already. */
  readonly stackId: string | null;
  /** With leading `v`, e.g. `v1.33.4`. */
  readonly kubernetesVersion: string;
  readonly operatingSystem: OperatingSystem;
  readonly cni: { readonly kind: 'calico' | 'cilium'; readonly tag: string };
  readonly controlPlane: ControlPlaneIntent;
  /** Worker nodegroups that are not being deleted, in Magnum's order. */
  readonly workers: readonly NodegroupIntent[];
  /** Name of the Nova keypair. */
  readonly keypair: string | null;
  readonly network: NetworkIntent;
  readonly apiServer: ApiServerIntent;
  readonly kubelet: KubeletIntent;
  readonly loadBalancer: LoadBalancerIntent;
  /** Cluster-wide values; a nodegroup may override them. */
  readonly bootVolume: VolumeIntent;
  readonly bootVolumeAvailabilityZone: string | null;
  readonly dockerVolume: VolumeIntent;
  readonly etcdVolume: VolumeIntent;
  readonly availabilityZone: string | null;
  /** Registry prefix without trailing slash; null = upstream registries. */
  readonly imageRepository: string | null;
  readonly proxy: ProxyIntent;
  readonly addons: AddonIntent;
}
