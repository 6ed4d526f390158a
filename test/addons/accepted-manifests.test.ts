import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { covers } from '../../shared/kubernetes/covers.ts';
import { manifestType } from '../../shared/kubernetes/manifest-type.ts';
import { creationPath } from '../../shared/kubernetes/object-path.ts';
import { addonManifests } from '../../shared/render/addons/addon-manifests.ts';
import type { Manifest } from '../../shared/render/addons/manifest.ts';
import { manifestIdentity } from '../../shared/render/addons/manifest-identity.ts';
import { ApiError, connectApi, type KubernetesApi } from '../env/kubernetes-api.ts';
import { everyAddon, everyNetwork, everyVersion } from './every-addon.ts';

let api: KubernetesApi;
beforeAll(() => {
  api = connectApi({ server: inject('server'), caCertificate: inject('caCertificate'), token: inject('adminToken') });
});
afterAll(() => api.close());

/** What the API server says against a manifest; null where it would take it as it is. Nothing is stored. */
async function refusal(manifest: Manifest): Promise<string | null> {
  const identity = manifestIdentity(manifest);
  if (identity === null) return `${JSON.stringify(manifest).slice(0, 80)} is no manifest`;
  const path = creationPath(manifestType(identity), identity.namespace ?? undefined);
  try {
    const stored = await api.call('POST', `${path}?dryRun=All&fieldValidation=Strict`, manifest);
    return covers(stored, manifest) ? null : `${identity.kind} ${identity.name} is stored otherwise`;
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return null;
    return `${identity.kind} ${identity.name}: ${error instanceof Error ? error.message : error}`;
  }
}

/** Without its namespace an object is refused, whatever it says. */
async function makeNamespaces(manifests: readonly Manifest[]): Promise<void> {
  for (const manifest of manifests.filter(({ kind }) => kind === 'Namespace')) {
    await api.call('POST', '/api/v1/namespaces', manifest).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.status === 409)) throw error;
    });
  }
}

/** Custom resources need their definitions, which only an installed add-on brings. */
function builtIn(manifests: readonly Manifest[]): readonly Manifest[] {
  const groups = manifests
    .filter(({ kind }) => kind === 'CustomResourceDefinition')
    .map(({ metadata }) => metadata.name.slice(metadata.name.indexOf('.') + 1));
  return manifests.filter(({ apiVersion }) => !groups.some((group) => apiVersion.startsWith(`${group}/`)));
}

describe.each(everyNetwork)('with $kind $tag', (cni) => {
  test.each(everyVersion)('every manifest for Kubernetes %s is accepted, field by field', async (kubernetesVersion) => {
    const addons = addonManifests(everyAddon({ cni, kubernetesVersion }));
    expect(addons).toHaveLength(6);
    const manifests = builtIn(addons.flatMap((addon) => addon.manifests));
    expect(manifests.length).toBeGreaterThan(60);
    await makeNamespaces(manifests);
    const refusals = await Promise.all(manifests.map(refusal));
    expect(refusals.filter((text) => text !== null)).toEqual([]);
  });
});
