import type { NodegroupIntent } from '../magnum/cluster-intent.ts';
import { workerClass } from './cluster-class/selectors.ts';
import { autoscalerAnnotations, nodegroupLabels } from './nodegroup-metadata.ts';
import { type NodegroupContext, nodegroupOverrides } from './nodegroup-overrides.ts';
import type { VariableValue } from './variable-value.ts';

/** An entry of `spec.topology.workers.machineDeployments` (cluster.x-k8s.io/v1beta2). */
export interface MachineDeploymentTopology {
  readonly class: string;
  readonly name: string;
  /** Absent without a zone: neither '' nor null is accepted (user-reports F34). */
  readonly failureDomain?: string;
  /** Absent where the autoscaler decides; Cluster API refuses both. */
  readonly replicas?: number;
  readonly metadata: {
    readonly labels: Readonly<Record<string, string>>;
    /** Absent where the size is fixed. */
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly healthCheck: { readonly enabled: boolean };
  readonly deletion: { readonly nodeVolumeDetachTimeoutSeconds: number };
  readonly variables: { readonly overrides: readonly VariableValue[] };
}

const nodeVolumeDetachTimeoutSeconds = 300;

/**
 * A nodegroup as an entry of the Cluster's topology (seed §4.3, original-facts §3.2).
 * @throws RejectedError if its flavor or image was never looked up.
 */
export function machineDeploymentTopology(
  nodegroup: NodegroupIntent,
  context: NodegroupContext,
): MachineDeploymentTopology {
  const labels = nodegroupLabels(nodegroup);
  return {
    class: workerClass,
    name: nodegroup.name,
    ...(nodegroup.availabilityZone === null ? {} : { failureDomain: nodegroup.availabilityZone }),
    ...(nodegroup.size.kind === 'fixed'
      ? { replicas: nodegroup.size.replicas, metadata: { labels } }
      : { metadata: { labels, annotations: autoscalerAnnotations(nodegroup, context.facts) } }),
    healthCheck: { enabled: nodegroup.autoHealing },
    deletion: { nodeVolumeDetachTimeoutSeconds },
    variables: { overrides: nodegroupOverrides(nodegroup, context) },
  };
}

/** Names of the entry's overrides that a class with these variables does not define, so that Cluster API would refuse them. */
export function missingVariables(
  classVariables: readonly string[],
  entry: Pick<MachineDeploymentTopology, 'variables'>,
): string[] {
  return entry.variables.overrides.map(({ name }) => name).filter((name) => !classVariables.includes(name));
}
