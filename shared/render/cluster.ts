import { resources } from '../kubernetes/resources.ts';
import type { ClusterIntent, NetworkIntent } from '../magnum/cluster-intent.ts';
import { type ClusterContext, clusterVariables } from './cluster-variables.ts';
import { type MachineDeploymentTopology, machineDeploymentTopology } from './machine-deployment.ts';
import { clusterUuidLabel, labelValue, managedByLabel, managementNamespace } from './metadata.ts';
import type { RenderedObject } from './rendered-object.ts';
import type { VariableValue } from './variable-value.ts';

export interface TopologyInput extends ClusterContext {
  /** Name of the ClusterClass. */
  readonly className: string;
  readonly intent: ClusterIntent;
}

export interface ClusterInput extends TopologyInput {
  /** Ready annotations, such as the operation record. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** `spec.topology` of a Cluster (cluster.x-k8s.io/v1beta2). */
export interface Topology {
  readonly classRef: { readonly name: string };
  readonly version: string;
  readonly controlPlane: {
    readonly metadata: { readonly labels: Readonly<Record<string, string>> };
    readonly replicas: number;
    readonly healthCheck: { readonly enabled: boolean };
  };
  /** Absent without nodegroups: Cluster API refuses the empty list. */
  readonly workers?: { readonly machineDeployments: readonly MachineDeploymentTopology[] };
  readonly variables: readonly VariableValue[];
}

export interface Cluster extends RenderedObject {
  readonly spec: { readonly clusterNetwork: ClusterNetwork; readonly topology: Topology };
}

interface ClusterNetwork {
  readonly pods: { readonly cidrBlocks: readonly [string] };
  readonly services: { readonly cidrBlocks: readonly [string] };
  readonly serviceDomain: string;
}

/** Cluster API copies it to the nodes, where the Keystone authenticator is placed by it (original-facts §1.7). */
const controlPlaneLabels = { 'node-role.kubernetes.io/master': '' } as const;

/**
 * The Cluster with its topology (original-facts §3).
 * @throws RejectedError if a flavor or image was never looked up.
 */
export function cluster(input: ClusterInput): Cluster {
  const { stackId, intent, annotations } = input;
  return {
    apiVersion: resources.cluster.apiVersion,
    kind: resources.cluster.kind,
    metadata: { name: stackId, namespace: managementNamespace, labels: clusterLabels(intent), annotations },
    spec: { clusterNetwork: clusterNetwork(intent.network), topology: topology(input) },
  };
}

/** The Cluster's own labels. */
export function clusterLabels({ uuid, cni }: ClusterIntent): Record<string, string> {
  return {
    [clusterUuidLabel]: uuid,
    ...(cni.kind === 'calico' ? { cni: labelValue(`calico-${cni.tag}`) } : {}),
    ...managedByLabel,
  };
}

function clusterNetwork({ podCidr, serviceCidr, serviceDomain }: NetworkIntent): ClusterNetwork {
  return { pods: { cidrBlocks: [podCidr] }, services: { cidrBlocks: [serviceCidr] }, serviceDomain };
}

/** @throws RejectedError if a flavor or image was never looked up. */
export function topology(input: TopologyInput): Topology {
  const { className, intent } = input;
  const { controlPlane, workers } = intent;
  const variables = clusterVariables(intent, input);
  return {
    classRef: { name: className },
    version: intent.kubernetesVersion,
    controlPlane: {
      metadata: { labels: controlPlaneLabels },
      replicas: controlPlane.replicas,
      healthCheck: { enabled: controlPlane.autoHealing },
    },
    ...(workers.length === 0 ? {} : { workers: { machineDeployments: machineDeployments(input, variables) } }),
    variables,
  };
}

function machineDeployments(
  { intent, facts, serverGroups }: TopologyInput,
  variables: readonly VariableValue[],
): MachineDeploymentTopology[] {
  return intent.workers.map((nodegroup) =>
    machineDeploymentTopology(nodegroup, {
      clusterVariables: variables,
      facts,
      serverGroupId: serverGroups.workers[nodegroup.name] ?? '',
    }),
  );
}
