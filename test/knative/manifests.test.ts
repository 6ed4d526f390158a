import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Manifest } from '../../local/manifests/read-manifests.ts';
import { createDefinitions } from '../env/api-server-setup.ts';
import { type ControlPlane, startControlPlane } from '../env/control-plane.ts';
import { ApiError, connectApi, type KubernetesApi } from '../env/kubernetes-api.ts';
import { knativeDefinitions } from './knative-definitions.ts';
import { overlays } from './overlays.ts';

const built = new Map<string, readonly Manifest[]>();
for (const [name, build] of overlays) built.set(name, await build());
const manifests = built.get('base') ?? [];
const { definitions, lenient } = await knativeDefinitions([...built.values()].flat());

let controlPlane: ControlPlane;
let api: KubernetesApi;
beforeAll(async () => {
  controlPlane = await startControlPlane({ managers: false });
  const { server, caCertificate, adminToken: token } = controlPlane;
  api = connectApi({ server, caCertificate, token });
  await createDefinitions(api, definitions, AbortSignal.timeout(60_000));
});
afterAll(async () => {
  api?.close();
  await controlPlane?.stop();
});

const resourceList = z.object({
  resources: z.array(z.object({ name: z.string(), kind: z.string(), namespaced: z.boolean() })),
});
const resourceLists = new Map<string, Promise<z.infer<typeof resourceList>>>();

/** What the API server serves of a version, asked once. */
function resourcesOf(root: string): Promise<z.infer<typeof resourceList>> {
  const list = resourceLists.get(root) ?? api.call('GET', root).then((answer) => resourceList.parse(answer));
  resourceLists.set(root, list);
  return list;
}

/** Where the API server creates objects of this kind. */
async function pathOf({ apiVersion, kind, metadata }: Manifest): Promise<string> {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const { resources } = await resourcesOf(root);
  const resource = resources.find((each) => each.kind === kind && !each.name.includes('/'));
  if (resource === undefined) throw new Error(`The API server has no ${kind} of ${apiVersion}.`);
  return resource.namespaced ? `${root}/namespaces/${metadata.namespace}/${resource.name}` : `${root}/${resource.name}`;
}

/** @param query beside strict validation; by default nothing is stored, since overlays have objects of the same names. */
async function create(manifest: Manifest, query = '&dryRun=All'): Promise<void> {
  try {
    await api.call('POST', `${await pathOf(manifest)}?fieldValidation=Strict${query}`, manifest);
  } catch (error) {
    // The control plane comes with the driver's namespace.
    if (!(error instanceof ApiError && error.status === 409 && manifest.kind === 'Namespace')) throw error;
  }
}

test.each(manifests.map((manifest) => [manifest.kind, manifest.metadata.name, manifest] as const))(
  'the %s %s of the base is accepted by a real API server',
  async (_kind, _name, manifest) => {
    await expect(create(manifest, '')).resolves.toBeUndefined();
  },
);

describe('every object is new, valid and without a field that its kind does not have', () => {
  test.each(overlays)('in %s', async (name) => {
    for (const manifest of (built.get(name) ?? []).map((each) => renamed(each))) {
      const { kind, metadata } = manifest;
      await expect(create(manifest), `${kind} ${metadata.name}`).resolves.toBeUndefined();
    }
  });
});

/** The base stands already. */
function renamed(manifest: Manifest): Manifest {
  if (manifest.kind === 'Namespace') return manifest;
  return { ...manifest, metadata: { ...manifest.metadata, name: `another-${manifest.metadata.name}` } };
}

test.each(['Role', 'SinkBinding', 'RabbitmqBrokerConfig', 'PodMonitor'])(
  'a field that a %s does not have is refused, so that the tests above can fail',
  async (wanted) => {
    const found = [...built.values()].flat().find(({ kind }) => kind === wanted);
    const odd = { ...found, metadata: { ...found?.metadata, name: 'odd' }, spek: {} };
    await expect(create(odd as Manifest)).rejects.toThrow('spek');
  },
);

const crds = new URL('../../../shared/crds/', import.meta.url);

describe.skipIf(!existsSync(crds))('with the definitions of a release of Knative', () => {
  test('no kind is checked leniently', () => {
    expect(lenient).toEqual([]);
  });

  test('a field that a Service does not have is refused', async () => {
    const service = manifests.find(({ kind }) => kind === 'Service');
    const odd = { ...service, metadata: { ...service?.metadata, name: 'odd' }, spec: { templat: {} } };
    await expect(create(odd as Manifest)).rejects.toThrow('templat');
  });
});
