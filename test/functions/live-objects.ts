import type { V1Secret } from '@kubernetes/client-node';
import type { KubernetesClient } from '../../shared/kubernetes/client.ts';
import type { KubernetesObject, Wire } from '../../shared/kubernetes/kubernetes-object.ts';
import { type ResourceType, resources } from '../../shared/kubernetes/resources.ts';
import { managedByLabel, managementNamespace as namespace } from '../../shared/render/metadata.ts';

/** The objects of a kind whose names start with a cluster's, as those of the driver and of Cluster API do. */
export async function objectsOf<T extends KubernetesObject>(
  kubernetes: KubernetesClient,
  type: ResourceType<T>,
  stackId: string,
): Promise<readonly T[]> {
  const objects = await kubernetes.list(type, { namespace });
  return objects.filter(({ metadata }) => metadata?.name?.startsWith(stackId));
}

/** The cluster's Secrets that the driver wrote; Cluster API adds others. */
export async function secretsOf(kubernetes: KubernetesClient, stackId: string): Promise<readonly Wire<V1Secret>[]> {
  const [[label = '', value = ''] = []] = Object.entries(managedByLabel);
  const secrets = await objectsOf(kubernetes, resources.secret, stackId);
  return secrets.filter(({ metadata }) => metadata?.labels?.[label] === value);
}

/** Resource versions by kind and name. */
export function versionsOf(
  type: { readonly kind: string },
  objects: readonly KubernetesObject[],
): Record<string, string> {
  return Object.fromEntries(
    objects.map(({ metadata }) => [`${type.kind}/${metadata?.name}`, metadata?.resourceVersion ?? '']),
  );
}
