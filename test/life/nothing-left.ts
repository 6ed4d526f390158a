import { expect } from 'vitest';
import * as z from 'zod';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { CloudState } from '../cloud/openstack/state.ts';
import type { KubernetesApi } from '../env/kubernetes-api.ts';
import { waitFor } from '../env/wait-for.ts';

interface Gone {
  readonly stackId: string;
  /** Of the Magnum cluster. */
  readonly uuid: string;
}

interface Places {
  readonly api: KubernetesApi;
  readonly cloud: { readonly state: CloudState };
}

/** Expects that neither the management cluster nor the cloud has anything of a cluster, once the garbage collector is through. */
export async function expectNothingLeft({ api, cloud }: Places, gone: Gone): Promise<void> {
  await waitFor(async () => expect(await objectsOf(api, gone)).toEqual([]), {
    what: `the last object of ${gone.stackId} to go`,
    timeout: 60_000,
  });
  expect(cloudRemains(cloud.state, gone)).toEqual([]);
}

const resourceList = z.object({
  resources: z.array(z.object({ name: z.string(), namespaced: z.boolean(), verbs: z.array(z.string()) })),
});
const groupList = z.object({
  groups: z.array(z.object({ preferredVersion: z.object({ groupVersion: z.string() }) })),
});
const objectList = z.object({
  items: z.array(
    z.looseObject({
      metadata: z.looseObject({ name: z.string(), labels: z.record(z.string(), z.string()).default({}) }),
    }),
  ),
});

/** Every kind that the API server knows is looked through; Events stay for an hour whatever they are about. */
async function objectsOf(api: KubernetesApi, gone: Gone): Promise<string[]> {
  const { groups } = groupList.parse(await api.call('GET', '/apis'));
  const paths = ['/api/v1', ...groups.map(({ preferredVersion }) => `/apis/${preferredVersion.groupVersion}`)];
  const found = await Promise.all(paths.map((path) => objectsOfGroup(api, path, gone)));
  return found.flat();
}

async function objectsOfGroup(api: KubernetesApi, path: string, gone: Gone): Promise<string[]> {
  const { resources } = resourceList.parse(await api.call('GET', path));
  const kinds = resources.filter(
    ({ name, namespaced, verbs }) =>
      namespaced && verbs.includes('list') && verbs.includes('delete') && name !== 'events',
  );
  const lists = await Promise.all(
    kinds.map(async ({ name }) => {
      const { items } = objectList.parse(await api.call('GET', `${path}/namespaces/${namespace}/${name}`));
      return items
        .filter(({ metadata }) => belongs([metadata.name, ...Object.values(metadata.labels)], gone))
        .map(({ metadata }) => `${name}/${metadata.name}`);
    }),
  );
  return lists.flat();
}

function belongs(texts: readonly string[], { stackId, uuid }: Gone): boolean {
  return texts.some((text) => text.includes(stackId) || text.includes(uuid));
}

/** Every thing of the cloud that has a name or a description is looked through. */
function cloudRemains(state: CloudState, gone: Gone): string[] {
  return Object.entries(state).flatMap(([kind, things]) => {
    if (!Array.isArray(things)) return [];
    return things
      .filter((thing) => belongs(textsOf(thing), gone))
      .map((thing) => `${kind}/${textsOf(thing).join(' ')}`);
  });
}

function textsOf(thing: unknown): string[] {
  const { name, description }: { readonly name?: unknown; readonly description?: unknown } = Object(thing);
  return [name, description].filter((text) => typeof text === 'string');
}
