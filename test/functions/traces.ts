import { expect } from 'vitest';
import * as z from 'zod';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { CloudState } from '../cloud/openstack/state.ts';
import type { KubernetesApi } from '../env/kubernetes-api.ts';
import { waitFor } from '../env/wait-for.ts';

export interface DeletedCluster {
  /** Of the Magnum cluster. */
  readonly uuid: string;
  /** '' where it has none. */
  readonly stackId: string;
}

interface Places {
  readonly api: KubernetesApi;
  readonly cloud: { readonly state: CloudState };
}

/** Expects that neither the management cluster nor the cloud has anything of a cluster, once the garbage collector is through. */
export function expectNothingLeft(places: Places, cluster: DeletedCluster): Promise<void> {
  const probe = async () => expect(await tracesOf(places, cluster)).toEqual([]);
  return waitFor(probe, { what: `the last trace of ${cluster.stackId} to go`, timeout: 60_000 });
}

/** Everything that has the cluster's stack id or UUID in its name, labels or description, but Events, which go by time. */
export async function tracesOf({ api, cloud }: Places, cluster: DeletedCluster): Promise<readonly string[]> {
  const names = [cluster.uuid, cluster.stackId].filter((name) => name !== '');
  const isOf = (text: string) => names.some((name) => text.includes(name));
  const objects = await namespacedObjects(api);
  return [...objects.filter(isOf), ...thingsOfCloud(cloud.state).filter(isOf)];
}

const groups = z.object({
  groups: z.array(z.object({ preferredVersion: z.object({ groupVersion: z.string() }) })),
});
const served = z.object({
  groupVersion: z.string(),
  resources: z.array(z.object({ name: z.string(), namespaced: z.boolean(), verbs: z.array(z.string()) })),
});
const list = z.object({
  items: z.array(
    z.object({ metadata: z.object({ name: z.string(), labels: z.record(z.string(), z.string()).default({}) }) }),
  ),
});

async function namespacedObjects(api: KubernetesApi): Promise<string[]> {
  const { groups: found } = groups.parse(await api.call('GET', '/apis'));
  const paths = ['/api/v1', ...found.map(({ preferredVersion }) => `/apis/${preferredVersion.groupVersion}`)];
  const kinds = await Promise.all(paths.map((path) => kindsOf(api, path)));
  const listed = await Promise.all(
    kinds.flat().map(async ({ path, name }) => {
      const { items } = list.parse(await api.call('GET', path));
      return items.map(({ metadata }) => `${name} ${metadata.name} ${JSON.stringify(metadata.labels)}`);
    }),
  );
  return listed.flat();
}

async function kindsOf(api: KubernetesApi, path: string): Promise<{ readonly path: string; readonly name: string }[]> {
  const { resources } = served.parse(await api.call('GET', path));
  return resources
    .filter(({ name, namespaced, verbs }) => namespaced && verbs.includes('list') && name !== 'events')
    .map(({ name }) => ({ path: `${path}/namespaces/${namespace}/${name}`, name }));
}

const thing = z.object({ name: z.string().default(''), description: z.string().nullish() });

/** Whatever has a name or a description. */
function thingsOfCloud(state: CloudState): string[] {
  return Object.entries(state).flatMap(([kind, things]) => {
    const named = z.array(thing).safeParse(things).data ?? [];
    return named.map(({ name, description }) => `${kind} ${name} ${description ?? ''}`);
  });
}
