import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, inject } from 'vitest';
import { createKubernetesClient, type KubernetesClient } from '../../shared/kubernetes/client.ts';
import { type ResourceType, resources, resourceTypeOf } from '../../shared/kubernetes/resources.ts';
import type { ClusterIntent } from '../../shared/magnum/cluster-intent.ts';
import { stackId as stackIdOf } from '../../shared/magnum/stack-id.ts';
import type { CloudFacts } from '../../shared/render/cloud-facts.ts';
import { type Cluster, cluster } from '../../shared/render/cluster.ts';
import { clusterClassSet } from '../../shared/render/cluster-class/cluster-class-set.ts';
import { managementNamespace } from '../../shared/render/metadata.ts';
import { connectApi } from '../env/kubernetes-api.ts';
import { waitForTopology } from '../functions/topology.ts';
import { type ComputedCluster, readComputedCluster } from './computed-cluster.ts';
import { exampleFacts, exampleIntent, ids } from './example-intent.ts';

/** What one cluster has different from the plainest. */
export interface Situation {
  readonly intent?: Partial<ClusterIntent>;
  readonly facts?: Partial<CloudFacts>;
}

const release = '0.0.0-render-test';
const namespaces: ResourceType = { apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };
/** Clusters that are created at once; with more, the controllers mostly wait for each other's writes. */
const batchSize = 4;
/** For one batch on a busy machine of two cores; alone it takes some five seconds. */
const patience = 90_000;
/** For a file of four batches. */
const hookTimeout = 4 * patience + 30_000;

interface TopologyController {
  readonly client: KubernetesClient;
  /** Creates Clusters and gives their stack ids when the controller has written all that belongs to them. */
  reconcile(situations: readonly Situation[]): Promise<string[]>;
}

/** Connects to the shared control plane for the length of a test file, with the class in place. */
export function useTopologyController(): TopologyController {
  const client = createKubernetesClient(
    { server: inject('server'), caCertificate: inject('caCertificate'), token: async () => inject('adminToken') },
    { timeoutMs: 60_000, deadlineMs: 120_000 },
  );
  const api = connectApi({
    server: inject('server'),
    caCertificate: inject('caCertificate'),
    token: inject('adminToken'),
  });
  const created: string[] = [];
  beforeAll(async () => {
    await client.apply(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: managementNamespace } });
    for (const object of clusterClassSet(release).objects) {
      await client.apply(resourceTypeOf(object), object);
    }
  });
  afterAll(async () => {
    for (const name of created) await client.delete(resources.cluster, { name, namespace: managementNamespace });
    client.close();
    api.close();
  }, hookTimeout);
  return {
    client,
    async reconcile(situations) {
      const names = situations.map(() => stackIdOf(randomUUID(), 0));
      const clusters = situations.map((situation, index) => renderedCluster(names[index] ?? '', situation));
      for (let start = 0; start < clusters.length; start += batchSize) {
        const batch = clusters.slice(start, start + batchSize);
        for (const one of batch) {
          await client.apply(resources.cluster, one);
          created.push(one.metadata.name);
        }
        await Promise.all(batch.map(({ metadata }) => waitForTopology(api, metadata.name)));
      }
      return names;
    },
  };
}

/** Computes each situation once, all at the same time, before the tests of a file look at single values. */
export function computeAll(situations: Readonly<Record<string, Situation>>): (name: string) => ComputedCluster {
  const controller = useTopologyController();
  const computed = new Map<string, ComputedCluster>();
  beforeAll(async () => {
    const stackIds = await controller.reconcile(Object.values(situations));
    for (const [index, name] of Object.keys(situations).entries()) {
      computed.set(name, await readComputedCluster(controller.client, stackIds[index] ?? ''));
    }
  }, hookTimeout);
  return (name) => {
    const found = computed.get(name);
    if (found === undefined) throw new Error(`The controller did not compute "${name}".`);
    return found;
  };
}

function renderedCluster(stackId: string, { intent = {}, facts = {} }: Situation): Cluster {
  const asked = exampleIntent(intent);
  return cluster({
    stackId,
    className: clusterClassSet(release).name,
    intent: asked,
    facts: { ...exampleFacts, ...facts },
    serverGroups: {
      controlPlane: ids.controlPlaneGroup,
      workers: Object.fromEntries(asked.workers.map(({ name }) => [name, ids.workerGroup])),
    },
    annotations: {},
    live: null,
  });
}
