import { type KubeConfig, KubernetesObjectApi } from '@kubernetes/client-node';
import { CollectionError } from './collection-error.ts';
import { labelQuery } from './label-selector.ts';
import type { WatchedResource } from './watched-resource.ts';

/** Objects of one kind in one namespace, as they are now. */
export interface Collection {
  /** Path at which they are listed and watched. */
  readonly path: string;
  readonly labelSelector: string | undefined;
  /** The version from which a watch tells everything that happens from now on. */
  readonly resourceVersion: string;
}

/** Finds a kind's resource as kubectl does, by the API server's own list. */
class DiscoveringApi extends KubernetesObjectApi {
  async pathOf(apiVersion: string, kind: string, namespace: string): Promise<string | undefined> {
    const found = await this.resource(apiVersion, kind);
    if (found === undefined) return undefined;
    const root = this.apiVersionPath(apiVersion);
    return found.namespaced ? `${root}/namespaces/${namespace}/${found.name}` : `${root}/${found.name}`;
  }
}

export type ReadCollection = (resource: WatchedResource) => Promise<Collection | undefined>;

/**
 * Reads where a kind's objects are and which version they have, without reading them.
 * @returns a function that gives undefined for a kind that the API server does not serve in a version that it serves
 * @throws CollectionError
 */
export function collectionReader(config: KubeConfig, namespace: string): ReadCollection {
  const api = config.makeApiClient(DiscoveringApi);
  return async (resource) => {
    try {
      return await readCollection(api, namespace, resource);
    } catch (error) {
      throw new CollectionError(resource, error);
    }
  };
}

async function readCollection(
  api: DiscoveringApi,
  namespace: string,
  { apiVersion, kind, selector }: WatchedResource,
): Promise<Collection | undefined> {
  const path = await api.pathOf(apiVersion, kind, namespace);
  if (path === undefined) return undefined;
  const labelSelector = labelQuery(selector);
  const none = undefined;
  const page = await api.list(apiVersion, kind, namespace, none, none, none, none, labelSelector, 1);
  return { path, labelSelector, resourceVersion: page.metadata?.resourceVersion ?? '' };
}
