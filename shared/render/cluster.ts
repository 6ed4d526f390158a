import type { ClusterIntent } from '../magnum/cluster-intent.ts';
import type { CloudFacts, ServerGroupFacts } from './cloud-facts.ts';
import type { KubernetesObject } from './kubernetes-object.ts';
import type { LiveInfrastructure } from './live-infrastructure.ts';
import type { MachineDeploymentTopology, VariableValue } from './machine-deployment.ts';

export interface ClusterInput {
  readonly stackId: string;
  /** Name of the ClusterClass. */
  readonly className: string;
  readonly intent: ClusterIntent;
  readonly facts: CloudFacts;
  readonly serverGroups: ServerGroupFacts;
  /** Ready annotations, such as the operation record. */
  readonly annotations: Readonly<Record<string, string>>;
  /** Spec of the cluster's OpenStackCluster, whose immutable fields are kept; null where there is none yet. */
  readonly live: LiveInfrastructure | null;
}

export interface Topology {
  readonly classRef: { readonly name: string };
  readonly version: string;
  readonly controlPlane: {
    readonly metadata: { readonly labels: Readonly<Record<string, string>> };
    readonly replicas: number;
    readonly healthCheck: { readonly enabled: boolean };
  };
  readonly workers: { readonly machineDeployments: readonly MachineDeploymentTopology[] };
  readonly variables: readonly VariableValue[];
}

export interface Cluster extends KubernetesObject {
  readonly spec: {
    readonly clusterNetwork: {
      readonly pods: { readonly cidrBlocks: readonly string[] };
      readonly services: { readonly cidrBlocks: readonly string[] };
      readonly serviceDomain: string;
    };
    readonly topology: Topology;
  };
}

export declare function cluster(input: ClusterInput): Cluster;
