import type { ClusterIntent, NodegroupIntent } from '../magnum/cluster-intent.ts';
import type { CloudFacts } from './cloud-facts.ts';
import type { Json } from './kubernetes-object.ts';

/** A value of a variable that the class defines. */
export interface VariableValue {
  readonly name: string;
  readonly value: Json;
}

/** An entry of `spec.topology.workers.machineDeployments` (cluster.x-k8s.io/v1beta2). */
export interface MachineDeploymentTopology {
  readonly class: string;
  readonly name: string;
  readonly failureDomain?: string;
  /** Absent where the autoscaler decides. */
  readonly replicas?: number;
  readonly metadata: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly healthCheck: { readonly enabled: boolean };
  readonly deletion: { readonly nodeVolumeDetachTimeoutSeconds: number };
  readonly variables: { readonly overrides: readonly VariableValue[] };
}

export interface MachineDeploymentContext {
  /** The cluster's own values; what a nodegroup has in common with them is not overridden. */
  readonly cluster: ClusterIntent;
  readonly facts: CloudFacts;
  /** Id of the nodegroup's Nova server group. */
  readonly serverGroupId: string;
}

export declare function machineDeploymentTopology(
  nodegroup: NodegroupIntent,
  context: MachineDeploymentContext,
): MachineDeploymentTopology;

/** Names of the overrides that a class with these variables does not know. */
export declare function missingVariables(classVariables: readonly string[], entry: MachineDeploymentTopology): string[];
