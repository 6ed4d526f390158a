/** Everything that the simulated OpenStack holds. Tests read and change it freely; the services answer from it. */
export interface CloudState {
  region: string;
  services: Service[];
  users: User[];
  projects: Project[];
  tokens: Token[];
  applicationCredentials: ApplicationCredential[];
  flavors: Flavor[];
  images: Image[];
  networks: Network[];
  subnets: Subnet[];
  keypairs: Keypair[];
  volumeTypes: NamedType[];
  /** Name of the default volume type; null where the cloud has none. */
  defaultVolumeType: string | null;
  shareTypes: NamedType[];
  serverGroups: ServerGroup[];
  availabilityZones: AvailabilityZone[];
  servers: Server[];
  loadBalancers: LoadBalancer[];
  /**
   * How many more answers of the API show a load balancer as PENDING_DELETE before it is gone. Infinity = it stays.
   * @default 0: a deletion is done at once
   */
  loadBalancerDeletionLooks: number;
  floatingIps: FloatingIp[];
  quotas: Quotas;
}

/** -1 = unlimited, Keystone's default; Nova's own are 10 instances, 20 cores and 51,200 MiB. */
export interface Quotas {
  serverGroups: number;
  applicationCredentials: number;
  /** Servers a project. */
  instances: number;
  /** Virtual CPUs a project. */
  cores: number;
  /** MiB a project. */
  ram: number;
}

export interface AvailabilityZone {
  name: string;
  available: boolean;
}

/** A service of the catalogue; remove one, or give it an older type, to see how a client takes it. */
export interface Service {
  /** As in the catalogue: `block-storage` or an alias of it. */
  type: string;
  name: string;
  /** Path of the catalogue's URL; `{project}` stands for the token's project. */
  path: string;
}

export interface User {
  id: string;
  name: string;
  password: string;
  /** Names of roles by project id. */
  roles: Record<string, string[]>;
  /** @default false */
  isDisabled?: boolean;
}

export interface Project {
  id: string;
  name: string;
  /** @default false */
  isDisabled?: boolean;
}

export interface Token {
  value: string;
  userId: string;
  projectId: string | null;
  roles: string[];
  methods: string[];
  issuedAt: number;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  applicationCredentialId: string | null;
}

export interface ApplicationCredential {
  id: string;
  name: string;
  description: string | null;
  secret: string;
  userId: string;
  projectId: string;
  roles: string[];
  unrestricted: boolean;
  /** ISO 8601 without zone, as Keystone has it; null = never. */
  expiresAt: string | null;
}

export interface Flavor {
  id: string;
  name: string;
  vcpus: number;
  /** MiB. */
  ram: number;
  /** GiB. */
  disk: number;
  /** GiB. @default 0 */
  ephemeral?: number;
  /** MiB. @default none */
  swap?: number;
  /** Ids of the only projects that may use it. @default everybody */
  projects?: string[];
}

export interface Image {
  id: string;
  name: string;
  status: string;
  visibility: 'public' | 'private';
  /** Project that owns it. */
  owner: string;
  /** GiB. */
  min_disk: number;
  properties: Record<string, string>;
}

export interface Network {
  id: string;
  name: string;
  external: boolean;
  projectId: string;
}

export interface Subnet {
  id: string;
  name: string;
  networkId: string;
  projectId: string;
  cidr: string;
}

export interface Keypair {
  name: string;
  userId: string;
  publicKey: string;
  fingerprint: string;
}

export interface NamedType {
  id: string;
  name: string;
  /** Ids of the only projects that may use a volume type. @default everybody */
  projects?: string[];
}

export interface ServerGroup {
  id: string;
  name: string;
  policy: string;
  /** @default none */
  rules?: { max_server_per_host?: number | undefined } | undefined;
  projectId: string;
  userId: string;
  members: string[];
}

export interface Server {
  id: string;
  name: string;
  status: string;
  projectId: string;
  fault: { code: number; message: string; created: string } | null;
  flavorId?: string;
  /** '' where it boots from a volume. */
  imageId?: string;
  availabilityZone?: string;
  keyName?: string;
  /** What Nova does to it just now, as `deleting`. @default nothing */
  taskState?: string | null;
  /** By the name of the network. */
  addresses?: Record<string, ServerAddress[]>;
  /** base64, as it was sent. */
  userData?: string;
}

export interface ServerAddress {
  addr: string;
  version: 4 | 6;
  type: 'fixed' | 'floating';
}

export interface LoadBalancer {
  id: string;
  name: string;
  /** @default '' */
  description?: string;
  projectId: string;
  provisioningStatus: string;
  /** @default 'ONLINE' */
  operatingStatus?: string;
  vipPortId: string;
  /** Names of its listeners. @default none */
  listeners?: string[];
  /**
   * How many more answers of the API show its PENDING status, before it is ACTIVE or gone.
   * @default it stays as it is, until a test or the simulated CAPO changes it
   */
  pendingLooks?: number;
}

export interface FloatingIp {
  id: string;
  address: string;
  description: string;
  projectId: string;
  /** null = it leads nowhere. */
  portId: string | null;
}
