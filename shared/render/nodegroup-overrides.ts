import type { NodegroupIntent } from '../magnum/cluster-intent.ts';
import type { NodeFacts } from './cloud-facts.ts';
import { extraVolumeVariables, flavorFacts, imageFacts, volumeValue } from './node-variables.ts';
import { labelPairs } from './nodegroup-metadata.ts';
import type { Json } from './rendered-object.ts';
import { type VariableValue, variableValues } from './variable-value.ts';

type Registration = Pick<NodegroupIntent, 'nodeLabels' | 'nodeTaints'>;

/** Variables of the class by which nodes get labels and taints. */
export const registrationVariables: readonly string[] = ['nodeLabels', 'nodeTaints'];

export interface NodegroupContext {
  /** Values of the cluster's variables; what a nodegroup has in common with them is not overridden. */
  readonly clusterVariables: readonly VariableValue[];
  readonly facts: NodeFacts;
  /** Id of the nodegroup's Nova server group. */
  readonly serverGroupId: string;
}

/**
 * Values of the class's variables for one nodegroup. The first seven are always written, as magnum-cluster-api does; the rest
 * only where the group is not like its cluster, since an older class may not define them.
 */
export function nodegroupOverrides(nodegroup: NodegroupIntent, context: NodegroupContext): VariableValue[] {
  const image = imageFacts(context.facts, nodegroup.image);
  return [
    ...variableValues({
      bootVolume: volumeValue(nodegroup.bootVolume, context.facts),
      flavor: flavorFacts(context.facts, nodegroup.flavor).name,
      imageRepository: nodegroup.imageRepository ?? '',
      imageUUID: image.id,
      hardwareDiskBus: image.diskBus,
      serverGroupId: context.serverGroupId,
      isServerGroupDiffFailureDomain: nodegroup.serverGroup.differentFailureDomain,
    }),
    ...variableValues(ownValues(nodegroup, context.facts)).filter((own) => !isCommon(own, context.clusterVariables)),
    ...registrationOverrides(nodegroup),
  ];
}

/** What a cluster has for all its nodes and a nodegroup may have of its own. */
function ownValues(owner: NodegroupIntent, facts: NodeFacts): Record<string, Json> {
  return {
    ...(owner.dockerVolume.size === 0
      ? { enableDockerVolume: false }
      : extraVolumeVariables('docker', owner.dockerVolume, facts)),
    availabilityZone: owner.availabilityZone ?? '',
    bootVolumeAvailabilityZone: owner.bootVolumeAvailabilityZone ?? '',
  };
}

function isCommon(own: VariableValue, clusterVariables: readonly VariableValue[]): boolean {
  return clusterVariables.some(({ name, value }) => name === own.name && value === own.value);
}

/** What the nodes of a group tell of themselves when they join; a value that is empty is not written. */
export function registrationOverrides({ nodeLabels, nodeTaints }: Registration): VariableValue[] {
  const labels = labelPairs(nodeLabels);
  const taints = nodeTaints.map(({ key, value, effect }) => ({ key, value, effect }));
  return variableValues({
    ...(labels.length === 0 ? {} : { nodeLabels: labels.join(',') }),
    ...(taints.length === 0 ? {} : { nodeTaints: taints }),
  });
}
