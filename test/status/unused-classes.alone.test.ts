import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { removeUnusedClasses } from '../../functions/status/unused-classes.ts';
import { createLogger } from '../../shared/host/logger.ts';
import { createKubernetesClient, type KubernetesClient } from '../../shared/kubernetes/client.ts';
import { createClusterRepository } from '../../shared/kubernetes/cluster-repository.ts';
import { resources, resourceTypeOf } from '../../shared/kubernetes/resources.ts';
import { cluster } from '../../shared/render/cluster.ts';
import { type ClusterClassSet, clusterClassSet } from '../../shared/render/cluster-class/cluster-class-set.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { type ControlPlane, startControlPlane } from '../env/control-plane.ts';
import { waitFor } from '../env/wait-for.ts';
import { exampleFacts, exampleIntent, exampleServerGroups } from '../render/example-intent.ts';

const hour = 60 * 60 * 1000;
const unusedSince = 'magnum.openstack.org/unused-since';

let controlPlane: ControlPlane;
let kubernetes: KubernetesClient;
beforeAll(async () => {
  controlPlane = await startControlPlane();
  const { server, caCertificate, adminToken } = controlPlane;
  kubernetes = createKubernetesClient({ server, caCertificate, token: async () => adminToken });
}, 120_000);
afterAll(async () => {
  kubernetes.close();
  await controlPlane.stop();
});

const owned = z.looseObject({
  metadata: z.looseObject({ ownerReferences: z.array(z.looseObject({ kind: z.string() })) }),
});

/** The class of another release and its templates, once Cluster API has made the class their owner. */
async function installClass(version: string): Promise<ClusterClassSet> {
  const set = clusterClassSet(version);
  await createClusterRepository(kubernetes).ensureClusterClass(set);
  const templates = set.objects.filter(({ kind }) => kind !== 'ClusterClass');
  const areOwned = async () => {
    for (const { kind, metadata, apiVersion } of templates) {
      const object = await kubernetes.get(resourceTypeOf({ kind, apiVersion }), { namespace, name: metadata.name });
      expect(owned.parse(object).metadata.ownerReferences).toMatchObject([{ kind: 'ClusterClass' }]);
    }
  };
  await waitFor(areOwned, { what: `the templates of ${set.name} to be owned` });
  return set;
}

/** Each resync that comes to its end may leave a class to the next one, and logs why. */
async function removeAfter(hours: number): Promise<string> {
  const lines: string[] = [];
  const environment = {
    kubernetes,
    signal: new AbortController().signal,
    log: createLogger({ destination: { write: (line) => void lines.push(line) } }),
    now: () => new Date(Date.now() + hours * hour),
    version: '0.1.0',
  };
  await removeUnusedClasses(environment, new Set());
  return lines.join('');
}

/** The day begins with the mark. Cluster API writes a new class, and where it comes between, a later resync marks it. */
async function markUnused({ name }: ClusterClassSet): Promise<void> {
  const isMarked = async () => {
    const log = await removeAfter(0);
    const { metadata } = await kubernetes.get(resources.clusterClass, { namespace, name });
    expect(metadata?.annotations, log).toHaveProperty([unusedSince]);
  };
  await waitFor(isMarked, { what: `the class ${name} to be marked` });
}

async function present(set: ClusterClassSet): Promise<string[]> {
  const found = await Promise.all(
    set.objects.map(async (object) => {
      const live = await kubernetes.find(resourceTypeOf(object), { namespace, name: object.metadata.name });
      return live === undefined ? [] : [object.kind];
    }),
  );
  return found.flat();
}

describe('with the real Cluster API', () => {
  test('a class that was unused for a day goes, and its templates go with it', async () => {
    const set = await installClass('0.0.8');
    await markUnused(set);
    expect(await present(set)).toHaveLength(5);
    // Cluster API may write the class between the reading and the deletion; then the next resync has it.
    const areGone = async () => {
      const log = await removeAfter(25);
      expect(await present(set), log).toEqual([]);
    };
    await waitFor(areGone, { what: 'the templates to be gone' });
  });

  test('a class that a Cluster refers to after all stays: Cluster API refuses to delete it', async () => {
    const set = await installClass('0.0.9');
    await markUnused(set);
    const intent = exampleIntent();
    const input = { intent, facts: exampleFacts, serverGroups: exampleServerGroups, annotations: {}, live: null };
    await kubernetes.create(resources.cluster, cluster({ stackId: 'kube-abcde', className: set.name, ...input }));
    const isRefused = async () => expect(await removeAfter(25)).toContain('cannot be deleted');
    await waitFor(isRefused, { what: 'Cluster API to refuse the deletion' });
    expect(await present(set)).toHaveLength(5);
  });
});
