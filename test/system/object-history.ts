import { KubeConfig, Watch } from '@kubernetes/client-node';
import * as z from 'zod';
import type { CustomObject } from '../../shared/kubernetes/kubernetes-object.ts';
import { collectionPath } from '../../shared/kubernetes/object-path.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { clusterNameLabel, managementNamespace } from '../../shared/render/metadata.ts';
import type { Observed } from '../../shared/status/observed.ts';

/** The client gives up a watch on which nothing comes for half a minute, and a cluster may wait longer than that. */
const longestQuietMs = 60 * 60_000;

/** Everything that a status is derived from. */
const kinds = [
  'cluster',
  'kubeadmControlPlane',
  'machineDeployment',
  'machine',
  'openStackCluster',
  'openStackMachine',
  'openStackServer',
] as const;
type RecordedKind = (typeof kinds)[number];

const watched = z.looseObject({
  metadata: z.looseObject({ name: z.string(), labels: z.record(z.string(), z.string()).default({}) }),
});

/** One version of an object; without one it is deleted. */
export interface Change {
  /** When it was seen, in milliseconds of `performance.now()`. */
  readonly at: number;
  readonly kind: RecordedKind;
  readonly name: string;
  readonly object: CustomObject | null;
}

/** Every version of every object of the clusters, in the order in which they were seen. */
export interface ObjectHistory {
  readonly changes: readonly Change[];
  stop(): void;
}

/** Records from now on what a kubeconfig's cluster says; a watch that breaks ends its part of the record. */
export async function recordObjectHistory(kubeconfigPath: string): Promise<ObjectHistory> {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfigPath);
  // Its types hide the field.
  const watch = Object.assign<Watch, object>(new Watch(config), { requestTimeoutMs: longestQuietMs });
  const changes: Change[] = [];
  const requests = await Promise.all(
    kinds.map((kind) => {
      const take = (phase: string, object: unknown) => {
        if (phase === 'BOOKMARK' || phase === 'ERROR') return;
        const { metadata } = watched.parse(object);
        const version = phase === 'DELETED' ? null : watched.parse(object);
        changes.push({ at: performance.now(), kind, name: metadata.name, object: version });
      };
      return watch.watch(collectionPath(resources[kind], managementNamespace), {}, take, () => undefined);
    }),
  );
  return {
    changes,
    stop() {
      for (const request of requests) request.abort();
    },
  };
}

/** The objects of one cluster after each of its changes. */
export class ReplayedCluster {
  readonly #stackId: string;
  readonly #objects = new Map<string, Change>();

  constructor(stackId: string) {
    this.#stackId = stackId;
  }

  /** Whether the change concerned this cluster. */
  take(change: Change): boolean {
    const key = `${change.kind}/${change.name}`;
    if (change.object === null) return this.#objects.delete(key);
    if (!this.#isOwn(change)) return false;
    this.#objects.set(key, change);
    return true;
  }

  /** Names of the objects that there are now. */
  get keys(): readonly string[] {
    return [...this.#objects.keys()];
  }

  /** What a computation that reads everything sees; without one of the objects where it is named. */
  observed(missing?: string): Observed {
    const all = [...this.#objects].filter(([key]) => key !== missing).map(([, change]) => change);
    const of = (kind: RecordedKind) => all.flatMap((change) => (change.kind === kind ? (change.object ?? []) : []));
    return {
      stackId: this.#stackId,
      cluster: of('cluster')[0] ?? null,
      controlPlane: of('kubeadmControlPlane')[0] ?? null,
      machineDeployments: of('machineDeployment'),
      machines: of('machine'),
      openStackCluster: of('openStackCluster')[0] ?? null,
      openStackMachines: of('openStackMachine'),
      openStackServers: of('openStackServer'),
      events: [],
      addons: null,
      cloudConfig: null,
    };
  }

  #isOwn({ kind, name, object }: Change): boolean {
    const owner = kind === 'cluster' ? name : object?.metadata?.labels?.[clusterNameLabel];
    return owner === this.#stackId;
  }
}
