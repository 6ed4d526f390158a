import type { CallOptions } from './caller.ts';
import { KubernetesError } from './errors.ts';
import type { KubernetesObject } from './kubernetes-object.ts';
import type { ResourceType } from './resources.ts';

/** A page of Clusters is then about 5 MB. */
const defaultPageSize = 250;
/** The API server keeps a list's snapshot for about five minutes: whoever loses it three times reads too slowly. */
const maxRestarts = 3;

export interface ListOptions extends CallOptions {
  /** @default all namespaces */
  readonly namespace?: string | undefined;
  /** E.g. `cluster.x-k8s.io/cluster-name=kube-abcde`. */
  readonly labelSelector?: string | undefined;
  /** E.g. `involvedObject.name=kube-abcde`. */
  readonly fieldSelector?: string | undefined;
  /** Objects a call. @default 250 */
  readonly pageSize?: number | undefined;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** This page begins the list, once more if pages came before: their snapshot had expired. */
  readonly first: boolean;
}

/** What the API server answers to a list. */
export interface ListBody<T> {
  readonly metadata?: { readonly continue?: string };
  readonly items?: readonly T[] | null;
}

/** Reads a list page by page, from the start again when the API server has dropped the snapshot meanwhile (410). */
export async function* pages<T extends KubernetesObject>(
  type: ResourceType<T>,
  options: ListOptions,
  read: (query: Readonly<Record<string, string>>) => Promise<ListBody<T>>,
): AsyncGenerator<Page<T>> {
  let position: string | undefined = '';
  let restarts = 0;
  while (position !== undefined) {
    try {
      const body = await read(listQuery(options, position));
      yield { items: (body.items ?? []).map((item) => withType(type, item)), first: position === '' };
      position = body.metadata?.continue || undefined;
    } catch (error) {
      if (!isExpired(error) || restarts++ === maxRestarts) throw error;
      position = '';
    }
  }
}

function isExpired(error: unknown): boolean {
  return error instanceof KubernetesError && error.apiStatus === 410;
}

/** The items of a list of a built-in kind do not say what they are. */
function withType<T extends KubernetesObject>({ apiVersion, kind }: ResourceType<T>, item: T): T {
  return { apiVersion, kind, ...item };
}

function listQuery(options: ListOptions, position: string): Record<string, string> {
  return {
    limit: String(options.pageSize ?? defaultPageSize),
    ...(position === '' ? {} : { continue: position }),
    ...(options.labelSelector === undefined ? {} : { labelSelector: options.labelSelector }),
    ...(options.fieldSelector === undefined ? {} : { fieldSelector: options.fieldSelector }),
  };
}
