/** Something more to read of a cluster, because the rules cannot do without it or because it may explain a delay. */
export type Need =
  | { readonly kind: 'controlPlane'; readonly name: string }
  | { readonly kind: 'openStackCluster'; readonly name: string }
  | { readonly kind: 'openStackServers' }
  | { readonly kind: 'openStackMachines' }
  /** Events about the objects of one name; a Machine, its OpenStackMachine and its OpenStackServer share theirs. */
  | { readonly kind: 'events'; readonly name: string }
  /** Nova's `fault.message` of servers in ERROR. */
  | { readonly kind: 'serverFaults'; readonly servers: readonly FaultyServer[] }
  | { readonly kind: 'addons' }
  /** How far an open rotation of the credential is. */
  | ({ readonly kind: 'rotation' } & RotationCircumstances)
  | { readonly kind: 'cloudConfig' };

export interface FaultyServer {
  /** Name of the OpenStackServer. */
  readonly name: string;
  /** Id of the server in Nova. */
  readonly id: string;
}

/** What an open rotation is judged by, beside what it has moved. */
export interface RotationCircumstances {
  /** The operation's deadline has passed. */
  readonly isOverdue: boolean;
  /** The control plane has been up: add-ons may run in the cluster. */
  readonly isInitialized: boolean;
}
