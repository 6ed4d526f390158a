import type { JsonPatchOperation } from '../../shared/kubernetes/kubernetes-object.ts';
import type { LiveCluster, LiveMachineDeployment } from '../../shared/kubernetes/live-cluster.ts';
import { changeMachineDeployment } from '../../shared/kubernetes/topology-patch.ts';
import { clip } from '../../shared/magnum/syntax/quote.ts';
import { rejection } from '../../shared/operation/rejection.ts';
import { isAutoscaled, maximumSizeAnnotation, minimumSizeAnnotation } from '../../shared/render/nodegroup-metadata.ts';
import { masterNodegroup } from '../../shared/status/master-nodegroup.ts';
import { existingEntry } from './existing-entry.ts';

/** What a resize changes of a topology: the control plane or one machine deployment. */
export interface ResizedGroup {
  /** null where the topology leaves it to Cluster API. */
  readonly replicas: number | null;
  /** The patch that gives it a number of nodes; none where it has that many. */
  resizedTo(replicas: number): JsonPatchOperation[];
}

/** @throws RejectedError where the nodegroup is gone, or the autoscaler decides */
export function resizedGroup(cluster: LiveCluster, nodegroup: string): ResizedGroup {
  return nodegroup === masterNodegroup ? controlPlane(cluster) : machineDeployment(cluster, nodegroup);
}

function controlPlane(cluster: LiveCluster): ResizedGroup {
  const { controlPlane: live } = cluster.spec.topology;
  const path = '/spec/topology/controlPlane';
  const current = live?.replicas ?? null;
  return {
    replicas: current,
    resizedTo(replicas) {
      if (replicas === current) return [];
      if (live === undefined) return [{ op: 'add', path, value: { replicas } }];
      return [{ op: 'add', path: `${path}/replicas`, value: replicas }];
    },
  };
}

function machineDeployment(cluster: LiveCluster, nodegroup: string): ResizedGroup {
  const { index, entry } = existingEntry(cluster, nodegroup);
  if (entry.replicas === undefined && isAutoscaled(entry)) throw autoscaled(entry);
  return {
    replicas: entry.replicas ?? null,
    resizedTo(replicas) {
      if (replicas === entry.replicas) return [];
      return changeMachineDeployment({ index, name: nodegroup }, [{ op: 'add', path: '/replicas', value: replicas }]);
    },
  };
}

/** Cluster API refuses both a number of nodes and limits for the autoscaler. */
function autoscaled({ name, metadata }: LiveMachineDeployment): Error {
  const minimum = metadata?.annotations?.[minimumSizeAnnotation];
  const maximum = metadata?.annotations?.[maximumSizeAnnotation];
  const range = `between ${minimum} and ${maximum ?? 'any number of'} nodes`;
  return rejection('invalid_field', `The autoscaler decides how many nodes nodegroup ${name} has, ${range}.`, {
    field: `nodegroups.${clip(name)}.node_count`,
    hint: 'Change min_node_count and max_node_count of the nodegroup instead.',
  });
}
