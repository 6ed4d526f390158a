import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { type Manifest, readManifests } from '../../local/manifests/read-manifests.ts';
import { createDefinitions } from '../env/api-server-setup.ts';
import { type ControlPlane, startControlPlane } from '../env/control-plane.ts';
import { ApiError, connectApi, type KubernetesApi } from '../env/kubernetes-api.ts';
import { knativeDefinitions } from './knative-definitions.ts';

const manifests = await readManifests();

let controlPlane: ControlPlane;
let api: KubernetesApi;
beforeAll(async () => {
  controlPlane = await startControlPlane({ managers: false });
  const { server, caCertificate, adminToken: token } = controlPlane;
  api = connectApi({ server, caCertificate, token });
  await createDefinitions(api, await knativeDefinitions(manifests), AbortSignal.timeout(60_000));
});
afterAll(async () => {
  api?.close();
  await controlPlane?.stop();
});

const resourceList = z.object({
  resources: z.array(z.object({ name: z.string(), kind: z.string(), namespaced: z.boolean() })),
});

/** Where the API server creates objects of this kind. */
async function pathOf({ apiVersion, kind, metadata }: Manifest): Promise<string> {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const { resources } = resourceList.parse(await api.call('GET', root));
  const resource = resources.find((each) => each.kind === kind && !each.name.includes('/'));
  if (resource === undefined) throw new Error(`The API server has no ${kind} of ${apiVersion}.`);
  return resource.namespaced ? `${root}/namespaces/${metadata.namespace}/${resource.name}` : `${root}/${resource.name}`;
}

async function create(manifest: Manifest): Promise<void> {
  try {
    await api.call('POST', `${await pathOf(manifest)}?fieldValidation=Strict`, manifest);
  } catch (error) {
    // The control plane comes with the driver's namespace.
    if (!(error instanceof ApiError && error.status === 409 && manifest.kind === 'Namespace')) throw error;
  }
}

test.each(manifests.map((manifest) => [manifest.kind, manifest.metadata.name, manifest] as const))(
  'the %s %s is accepted by a real API server',
  async (_kind, _name, manifest) => {
    await expect(create(manifest)).resolves.toBeUndefined();
  },
);

test('a field that a kind does not have is refused, so that the test above can fail', async () => {
  const role = manifests.find(({ kind }) => kind === 'Role');
  const odd = { ...role, metadata: { ...role?.metadata, name: 'odd' }, rulez: [] };
  await expect(create(odd as Manifest)).rejects.toThrow('rulez');
});
