import { managementNamespace as namespace } from '../render/metadata.ts';
import type { Secret } from '../render/rendered-object.ts';
import type { KubernetesClient } from './client.ts';
import type { LiveSecret } from './cluster-repository.ts';
import type { JsonPatchOperation } from './kubernetes-object.ts';
import { resources } from './resources.ts';
import { setAnnotations } from './set-annotations.ts';

/**
 * Replaces the content of a cluster's cloud-config Secret in one write; annotations that the new one does not have stay, as
 * the delete mark. Its name never changes: another name in the templates would rebuild all machines.
 * @param live as it was read; null = it is lost, and created anew
 * @throws ConflictError where it was changed, or created, since
 */
export async function replaceCloudConfig(
  client: KubernetesClient,
  live: LiveSecret | null,
  wanted: Secret,
): Promise<LiveSecret> {
  if (live === null) return client.create(resources.secret, wanted) as Promise<LiveSecret>;
  const { name, resourceVersion, annotations, labels } = live.metadata;
  const operations: readonly JsonPatchOperation[] = [
    { op: 'add', path: '/data', value: wanted.data },
    { op: 'add', path: '/metadata/labels', value: { ...labels, ...wanted.metadata.labels } },
    ...setAnnotations(annotations, wanted.metadata.annotations ?? {}),
  ];
  return client.patch(resources.secret, { namespace, name }, { operations, resourceVersion }) as Promise<LiveSecret>;
}
