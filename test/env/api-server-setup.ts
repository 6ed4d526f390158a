import * as z from 'zod';
import type { KubernetesApi } from './kubernetes-api.ts';
import type { CustomResourceDefinition } from './manifests.ts';
import { waitFor } from './wait-for.ts';

const resourceList = z.object({ resources: z.array(z.object({ name: z.string() })) });

/** Creates definitions and returns when the API server serves them all. */
export async function createDefinitions(
  api: KubernetesApi,
  definitions: readonly CustomResourceDefinition[],
  signal: AbortSignal,
): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  await Promise.all(definitions.map((definition) => api.call('POST', path, definition)));
  const served = servedResources(definitions);
  await Promise.all(
    [...served].map(([groupVersion, plurals]) =>
      waitFor(() => requireServed(api, groupVersion, plurals), { what: `${groupVersion} to be served`, signal }),
    ),
  );
}

export async function createNamespace(api: KubernetesApi, name: string): Promise<void> {
  await api.call('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}

export async function createWebhookConfiguration(api: KubernetesApi, configuration: { readonly kind: string }) {
  const plural = `${configuration.kind.toLowerCase()}s`;
  await api.call('POST', `/apis/admissionregistration.k8s.io/v1/${plural}`, configuration);
}

function servedResources(definitions: readonly CustomResourceDefinition[]): Map<string, string[]> {
  const served = new Map<string, string[]>();
  for (const { spec } of definitions) {
    for (const version of spec.versions.filter((candidate) => candidate.served)) {
      const groupVersion = `${spec.group}/${version.name}`;
      served.set(groupVersion, [...(served.get(groupVersion) ?? []), spec.names.plural]);
    }
  }
  return served;
}

async function requireServed(api: KubernetesApi, groupVersion: string, plurals: readonly string[]): Promise<void> {
  const { resources } = resourceList.parse(await api.call('GET', `/apis/${groupVersion}`));
  const names = new Set(resources.map((resource) => resource.name));
  const missing = plurals.filter((plural) => !names.has(plural));
  if (missing.length > 0) {
    throw new Error(`${missing.join(', ')} not served yet`);
  }
}
