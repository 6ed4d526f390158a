/** Names of the objects that belong to one cluster. */
export interface StackNames {
  /** The Cluster itself. */
  readonly cluster: string;
  /** Secret with clouds.yaml, by which CAPO reaches the cloud. */
  readonly cloudConfig: string;
  /** Secrets with the certificate authorities and the service account pair, found by Cluster API by name. */
  readonly certificates: {
    readonly ca: string;
    readonly etcd: string;
    readonly frontProxy: string;
    readonly sa: string;
  };
  /** Secret with the workload cluster's kubeconfig, written by Cluster API. */
  readonly kubeconfig: string;
  /** ClusterResourceSet with all add-ons. */
  readonly addons: string;
  /** ClusterResourceSet of the original driver with the cloud integrations, and its Secret. */
  readonly cloudProvider: string;
  /** Deployment of the cluster autoscaler. */
  readonly autoscaler: string;
}

/** Names of a cluster's objects by its stack id, the same as magnum-cluster-api gives (seed §3.2). */
export function stackNames(stackId: string): StackNames {
  return {
    cluster: stackId,
    cloudConfig: `${stackId}-cloud-config`,
    certificates: {
      ca: `${stackId}-ca`,
      etcd: `${stackId}-etcd`,
      frontProxy: `${stackId}-proxy`,
      sa: `${stackId}-sa`,
    },
    kubeconfig: `${stackId}-kubeconfig`,
    addons: `${stackId}-addons`,
    cloudProvider: `${stackId}-cloud-provider`,
    autoscaler: `${stackId}-autoscaler`,
  };
}
