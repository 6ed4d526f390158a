import type { KubernetesApi } from '../../env/kubernetes-api.ts';
import type { Identity } from '../openstack/identity.ts';
import type { CloudState } from '../openstack/state.ts';
import type { EventRecorder } from './event-recorder.ts';
import type { FaultRules } from './fault-rules.ts';
import type {
  Cluster,
  Machine,
  OpenStackCluster,
  OpenStackMachine,
  OpenStackMachineTemplate,
  OpenStackServer,
  WatchedObject,
} from './infrastructure-objects.ts';
import type { ObjectStore } from './object-store.ts';
import type { SimulatedNova } from './simulated-nova.ts';
import type { WorkloadClusters } from './workload-clusters.ts';

/** What every reconciler works with. */
export interface CapoContext {
  readonly api: KubernetesApi;
  readonly stores: {
    readonly cluster: ObjectStore<Cluster>;
    readonly machine: ObjectStore<Machine>;
    readonly openStackCluster: ObjectStore<OpenStackCluster>;
    readonly openStackMachine: ObjectStore<OpenStackMachine>;
    readonly openStackMachineTemplate: ObjectStore<OpenStackMachineTemplate>;
    readonly openStackServer: ObjectStore<OpenStackServer>;
  };
  readonly state: CloudState;
  readonly identity: Identity;
  /** URL of the simulated OpenStack, without a final slash. */
  readonly cloudUrl: string;
  readonly events: EventRecorder;
  readonly faults: FaultRules;
  readonly nova: SimulatedNova;
  readonly workloads: WorkloadClusters;
  /** Aborted when the controller stops. */
  readonly signal: AbortSignal;
  /** CAPO's own wait of that many seconds in ms, at the pace of this run. */
  wait(seconds: number): number;
  /** Sleeps for CAPO's own wait of that many seconds. @throws AbortError when the controller stops */
  sleep(seconds: number): Promise<void>;
}

/** The Cluster that owns the object, where Cluster API has said so. */
export function ownerCluster(context: CapoContext, { metadata }: WatchedObject): Cluster | undefined {
  return ownerOf(metadata, 'Cluster', (key) => context.stores.cluster.get(key));
}

/** The Machine that owns the object, where Cluster API has said so. */
export function ownerMachine(context: CapoContext, { metadata }: WatchedObject): Machine | undefined {
  return ownerOf(metadata, 'Machine', (key) => context.stores.machine.get(key));
}

function ownerOf<T>(
  { namespace, ownerReferences = [] }: WatchedObject['metadata'],
  kind: string,
  get: (key: string) => T | undefined,
): T | undefined {
  const owner = ownerReferences.find((reference) => reference.kind === kind);
  return owner === undefined ? undefined : get(`${namespace}/${owner.name}`);
}

/** CAPO touches nothing that is paused. */
export function isPaused(cluster: Cluster | undefined, { metadata }: WatchedObject): boolean {
  return cluster?.spec.paused === true || metadata.annotations?.['cluster.x-k8s.io/paused'] !== undefined;
}
