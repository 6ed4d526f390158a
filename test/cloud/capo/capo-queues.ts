import type { CapoContext } from './capo-context.ts';
import { reconcileOpenStackCluster } from './cluster-reconciler.ts';
import {
  type Cluster,
  clusterNameLabel,
  kinds,
  type OpenStackServer,
  type WatchedObject,
} from './infrastructure-objects.ts';
import { reconcileOpenStackMachine } from './machine-reconciler.ts';
import { keyOf, type ObjectChange, ObjectStore } from './object-store.ts';
import { reconcileOpenStackServer } from './server-reconciler.ts';
import { reconcileMachineTemplate } from './template-reconciler.ts';
import { WorkQueue } from './work-queue.ts';

export interface CapoQueues {
  /** Watches every kind with the given function and returns what it returned. */
  watch(begin: <T extends WatchedObject>(store: ObjectStore<T>) => Promise<void>): Promise<void>[];
  /** Looks at everything again, as CAPO does every ten minutes. */
  addAll(): void;
  stop(): Promise<void>;
}

type Reconciler = (context: CapoContext, key: string) => Promise<number | undefined>;

/** The stores of what CAPO watches, and which change makes it look at what (SetupWithManager of its controllers). */
export function createCapoQueues(
  environment: Omit<CapoContext, 'stores'>,
  onProgress: (line: string) => void,
): CapoQueues {
  const queue = (kind: string, reconcile: Reconciler) =>
    new WorkQueue({
      reconcile: (key) => reconcile(context, key),
      onError: (key, error) => onProgress(`${kind} ${key}: ${error instanceof Error ? error.message : error}`),
    });
  const clusters = queue('OpenStackCluster', reconcileOpenStackCluster);
  const machines = queue('OpenStackMachine', reconcileOpenStackMachine);
  const servers = queue('OpenStackServer', reconcileOpenStackServer);
  const templates = queue('OpenStackMachineTemplate', reconcileMachineTemplate);

  const stores: CapoContext['stores'] = {
    cluster: new ObjectStore(kinds.cluster, (change) => {
      const { metadata, spec } = newest(change);
      const name = spec.infrastructureRef?.name;
      if (name !== undefined) clusters.add(`${metadata.namespace}/${name}`);
      if (!wasUnblocked(change)) return;
      addMembers(machines, stores.openStackMachine.list(), metadata);
      addMembers(servers, stores.openStackServer.list(), metadata);
    }),
    machine: new ObjectStore(kinds.machine, (change) => {
      const { metadata, spec } = newest(change);
      machines.add(`${metadata.namespace}/${spec.infrastructureRef.name}`);
    }),
    openStackCluster: new ObjectStore(kinds.openStackCluster, (change) => clusters.add(keyOf(newest(change)))),
    openStackMachine: new ObjectStore(kinds.openStackMachine, (change) => machines.add(keyOf(newest(change)))),
    openStackMachineTemplate: new ObjectStore(kinds.openStackMachineTemplate, (change) =>
      templates.add(keyOf(newest(change))),
    ),
    openStackServer: new ObjectStore(kinds.openStackServer, (change) => {
      servers.add(keyOf(newest(change)));
      if (isFinished(change.after) && !isFinished(change.before)) machines.add(keyOf(newest(change)));
    }),
  };
  const context: CapoContext = { ...environment, stores };
  const queues = [clusters, machines, servers, templates];
  return {
    watch: (begin) => [
      begin(stores.cluster),
      begin(stores.machine),
      begin(stores.openStackCluster),
      begin(stores.openStackMachine),
      begin(stores.openStackMachineTemplate),
      begin(stores.openStackServer),
    ],
    addAll: () => {
      for (const object of stores.openStackCluster.list()) clusters.add(keyOf(object));
      for (const object of stores.openStackMachine.list()) machines.add(keyOf(object));
      for (const object of stores.openStackMachineTemplate.list()) templates.add(keyOf(object));
      for (const object of stores.openStackServer.list()) servers.add(keyOf(object));
    },
    stop: async () => void (await Promise.all(queues.map((each) => each.stop()))),
  };
}

function newest<T>({ before, after }: ObjectChange<T>): T {
  const object = after ?? before;
  if (object === undefined) throw new RangeError('A change has an object before or after it.');
  return object;
}

/** Whether the Cluster is no longer paused, or its infrastructure is ready now. */
function wasUnblocked({ before, after }: ObjectChange<Cluster>): boolean {
  const provisioned = (cluster: Cluster | undefined) => cluster?.status?.initialization?.infrastructureProvisioned;
  const isUnpaused = before?.spec.paused === true && after?.spec.paused !== true;
  return isUnpaused || (provisioned(after) === true && provisioned(before) !== true);
}

function addMembers(queue: WorkQueue, objects: readonly WatchedObject[], cluster: Cluster['metadata']): void {
  for (const object of objects) {
    const { namespace, labels } = object.metadata;
    if (namespace === cluster.namespace && labels?.[clusterNameLabel] === cluster.name) queue.add(keyOf(object));
  }
}

/** CAPO looks at an OpenStackMachine only when its server is ready or given up. */
function isFinished(server: OpenStackServer | undefined): boolean {
  return server?.status?.ready === true || server?.status?.instanceState === 'ERROR';
}
