import { clusterUuidLabel } from '../../render/metadata.ts';
import { type Condition, readConditions } from './condition.ts';
import { countAt, listAt, partAt, textAt, textsAt, timeAt } from './json-part.ts';

/** What the rules read of a Cluster (cluster.x-k8s.io/v1beta2). */
export interface ClusterView {
  /** UUID of the Magnum cluster; null on a Cluster that no Magnum driver made. */
  readonly uuid: string | null;
  readonly annotations: Readonly<Record<string, string>>;
  readonly generation: number | null;
  /** Milliseconds since the epoch. */
  readonly created: number | null;
  readonly isDeleting: boolean;
  /** Kubernetes version that the topology asks for. */
  readonly version: string | null;
  readonly controlPlaneReplicas: number | null;
  readonly nodegroups: readonly NodegroupEntry[];
  /** Names of the objects that Cluster API made for the topology. */
  readonly controlPlaneName: string | null;
  readonly infrastructureName: string | null;
  /** `https://host:port`. */
  readonly apiAddress: string | null;
  readonly conditions: readonly Condition[];
}

/** A machine deployment of the topology. */
export interface NodegroupEntry {
  readonly name: string;
  /** null = the autoscaler decides. */
  readonly replicas: number | null;
}

export function readCluster(object: unknown): ClusterView | null {
  if (typeof object !== 'object' || object === null) return null;
  const topology = partAt(object, 'spec', 'topology');
  return {
    uuid: textAt(object, 'metadata', 'labels', clusterUuidLabel),
    annotations: textsAt(object, 'metadata', 'annotations'),
    generation: countAt(object, 'metadata', 'generation'),
    created: timeAt(object, 'metadata', 'creationTimestamp'),
    isDeleting: textAt(object, 'metadata', 'deletionTimestamp') !== null,
    version: textAt(topology, 'version'),
    controlPlaneReplicas: countAt(topology, 'controlPlane', 'replicas'),
    nodegroups: readNodegroups(topology),
    controlPlaneName: textAt(object, 'spec', 'controlPlaneRef', 'name'),
    infrastructureName: textAt(object, 'spec', 'infrastructureRef', 'name'),
    apiAddress: readApiAddress(object),
    conditions: readConditions(object),
  };
}

function readNodegroups(topology: unknown): NodegroupEntry[] {
  return listAt(topology, 'workers', 'machineDeployments').flatMap((entry) => {
    const name = textAt(entry, 'name');
    return name === null ? [] : [{ name, replicas: countAt(entry, 'replicas') }];
  });
}

function readApiAddress(object: unknown): string | null {
  const host = textAt(object, 'spec', 'controlPlaneEndpoint', 'host');
  const port = countAt(object, 'spec', 'controlPlaneEndpoint', 'port');
  if (host === null || port === null || port === 0) return null;
  const isBareIpv6 = host.includes(':') && !host.startsWith('[');
  return `https://${isBareIpv6 ? `[${host}]` : host}:${port}`;
}
