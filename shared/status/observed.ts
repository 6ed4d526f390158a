import type { CoreV1Event } from '@kubernetes/client-node';
import type { CustomObject, Wire } from '../kubernetes/kubernetes-object.ts';
import type { OperationRecord } from '../kubernetes/operation-record.ts';
import type { CloudConfigRecord } from '../render/cloud-config.ts';
import type { ObservedRotation } from './rotation.ts';

/**
 * What one computation has seen of a cluster. Any object may be missing, half-written or from another version, so whoever
 * reads one takes nothing for granted. `undefined` = not read, `null` or an empty list = there is none.
 */
export interface Observed {
  /** Name of the Cluster, Magnum's `stack_id`. */
  readonly stackId: string;
  readonly cluster: CustomObject | null;
  readonly controlPlane?: CustomObject | null | undefined;
  readonly machineDeployments: readonly CustomObject[];
  readonly machines: readonly CustomObject[];
  readonly openStackCluster?: CustomObject | null | undefined;
  readonly openStackServers?: readonly CustomObject[] | undefined;
  readonly openStackMachines?: readonly CustomObject[] | undefined;
  readonly events?: readonly Wire<CoreV1Event>[] | undefined;
  /** Nova's `fault.message` by the name of the OpenStackServer. */
  readonly serverFaults?: Readonly<Record<string, string>> | undefined;
  /** Whether the cluster has a ClusterResourceSet `<stack id>-addons`, and its binding. */
  readonly addons?: ObservedAddons | null | undefined;
  /** Whether the cloud-config Secret is there, and what it records; null = there is none. */
  readonly cloudConfig?: ObservedCloudConfig | null | undefined;
  /** How far the driver came with cleaning up after a deleted Cluster. */
  readonly cleanUp?: ObservedCleanUp | undefined;
  /** How far an open rotation of the credential is. */
  readonly rotation?: ObservedRotation | undefined;
}

export interface ObservedAddons {
  readonly resourceSet: CustomObject;
  readonly binding: CustomObject | null;
}

export interface ObservedCleanUp {
  /** Nothing is left that the driver could still remove. */
  readonly isDone: boolean;
  /** What is left in the cloud, one sentence each. */
  readonly remaining: readonly string[];
}

export interface ObservedCloudConfig {
  /** UUID of the Magnum cluster by the Secret's label; null where it has none. */
  readonly uuid: string | null;
  /** null for a Secret of the original driver. */
  readonly record: CloudConfigRecord | null;
  /** The delete mark, which a Secret of the original driver can carry too; null = nobody asked to delete the cluster. */
  readonly deleteRequested: OperationRecord | null;
  /** The Secret's creationTimestamp: the Cluster follows it within a create. */
  readonly created: string | null;
}

/** What Magnum knows and an event of the management cluster does not tell. */
export interface MagnumView {
  readonly uuid: string;
  /** e.g. `CREATE_IN_PROGRESS`; null where it does not say. */
  readonly status: string | null;
  readonly nodegroups: readonly {
    readonly name: string;
    readonly status: string | null;
    readonly role: string | null;
  }[];
}
