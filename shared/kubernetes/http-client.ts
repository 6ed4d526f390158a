import { kubernetesObserver } from '../telemetry/observe-calls.ts';
import {
  type ApiCall,
  Caller,
  type CallOptions,
  type KubernetesClientOptions,
  type RequestObserver,
} from './caller.ts';
import type { ApplyOptions, CreateOptions, DeleteOptions, JsonPatch, KubernetesClient } from './client.ts';
import type { KubernetesConnection } from './connection.ts';
import { isNotFound } from './errors.ts';
import type { KubernetesObject } from './kubernetes-object.ts';
import { type ListBody, type ListOptions, type Page, pages } from './list.ts';
import { collectionPath, creationPath, type ObjectReference, objectPath } from './object-path.ts';
import type { ResourceType } from './resources.ts';

/** Owner of the fields that the driver writes; the original's is `atmosphere-operator`. */
const fieldManager = 'magnum-capi-functions';
/** A misspelt field, or one that is not served, is refused by name instead of being dropped in silence. */
const writing = { fieldManager, fieldValidation: 'Strict' };

type Request = Omit<ApiCall, 'apiVersion' | 'kind' | 'resource' | 'confidential' | 'name' | 'namespace' | 'onRequest'>;

/** The calls of a `KubernetesClient` in the API server's words. */
export class HttpKubernetesClient implements KubernetesClient {
  readonly #caller: Caller;
  readonly #onRequest: RequestObserver | undefined;

  constructor(caller: Caller, onRequest?: RequestObserver) {
    this.#caller = caller;
    this.#onRequest = onRequest;
  }

  async get<T extends KubernetesObject>(
    type: ResourceType<T>,
    reference: ObjectReference,
    options?: CallOptions,
  ): Promise<T> {
    const path = objectPath(type, reference);
    return this.#call(type, reference, { ...options, verb: 'get', method: 'GET', path, repeatable: true });
  }

  async find<T extends KubernetesObject>(
    type: ResourceType<T>,
    reference: ObjectReference,
    options?: CallOptions,
  ): Promise<T | undefined> {
    try {
      return await this.get(type, reference, options);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async list<T extends KubernetesObject>(type: ResourceType<T>, options?: ListOptions): Promise<readonly T[]> {
    const items: T[] = [];
    for await (const page of this.#pages(type, options ?? {})) {
      if (page.first) items.length = 0;
      items.push(...page.items);
    }
    return items;
  }

  async *each<T extends KubernetesObject>(type: ResourceType<T>, options?: ListOptions): AsyncGenerator<T> {
    const seen = new Set<string>();
    for await (const { items } of this.#pages(type, options ?? {})) {
      for (const item of items) {
        const uid = item.metadata?.uid ?? '';
        if (!seen.has(uid)) yield item;
        seen.add(uid);
      }
    }
  }

  async create<T extends KubernetesObject>(type: ResourceType<T>, object: T, options?: CreateOptions): Promise<T> {
    const path = `${creationPath(type, object.metadata?.namespace)}?${new URLSearchParams(writing)}`;
    return this.#call(type, object.metadata, {
      ...options,
      verb: 'create',
      method: 'POST',
      path,
      body: bodyOf(type, object),
      repeatable: options?.repeatable ?? false,
    });
  }

  async apply<T extends KubernetesObject>(type: ResourceType<T>, object: T, options?: ApplyOptions): Promise<T> {
    const reference = { name: object.metadata?.name ?? '', namespace: object.metadata?.namespace };
    const query = new URLSearchParams({ ...writing, force: String(options?.force ?? false) });
    return this.#call(type, reference, {
      ...options,
      verb: 'apply',
      method: 'PATCH',
      path: `${objectPath(type, reference)}?${query}`,
      body: bodyOf(type, object),
      contentType: 'application/apply-patch+yaml',
      repeatable: true,
    });
  }

  async patch<T extends KubernetesObject>(
    type: ResourceType<T>,
    reference: ObjectReference,
    { operations, resourceVersion, ...options }: JsonPatch,
  ): Promise<T> {
    const guard = { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion };
    return this.#call(type, reference, {
      ...options,
      verb: 'patch',
      method: 'PATCH',
      path: `${objectPath(type, reference)}?${new URLSearchParams(writing)}`,
      body: JSON.stringify(resourceVersion === undefined ? operations : [guard, ...operations]),
      contentType: 'application/json-patch+json',
      repeatable: false,
    });
  }

  async delete<T extends KubernetesObject>(
    type: ResourceType<T>,
    reference: ObjectReference,
    { uid, resourceVersion, propagationPolicy, ...options }: DeleteOptions = {},
  ): Promise<void> {
    await this.#call(type, reference, {
      ...options,
      verb: 'delete',
      method: 'DELETE',
      path: objectPath(type, reference),
      body: JSON.stringify({ propagationPolicy, preconditions: { uid, resourceVersion } }),
      repeatable: uid !== undefined || resourceVersion !== undefined,
    });
  }

  observedBy(onRequest: RequestObserver): KubernetesClient {
    return new HttpKubernetesClient(this.#caller, (request) => {
      this.#onRequest?.(request);
      onRequest(request);
    });
  }

  connectTo(connection: KubernetesConnection, options: KubernetesClientOptions = {}): KubernetesClient {
    return new HttpKubernetesClient(new Caller(connection, { onRequest: kubernetesObserver('workload'), ...options }));
  }

  serverTime(): number | undefined {
    return this.#caller.serverClock.now();
  }

  close(): void {
    this.#caller.close();
  }

  #pages<T extends KubernetesObject>(type: ResourceType<T>, options: ListOptions): AsyncGenerator<Page<T>> {
    const { namespace, signal, timeoutMs, deadlineMs } = options;
    const path = collectionPath(type, namespace);
    return pages(type, options, (query) =>
      this.#call<ListBody<T>>(
        type,
        { namespace },
        {
          verb: 'list',
          method: 'GET',
          path: `${path}?${new URLSearchParams(query)}`,
          repeatable: true,
          signal,
          timeoutMs,
          deadlineMs,
        },
      ),
    );
  }

  #call<Result>(
    type: ResourceType<KubernetesObject>,
    reference: Partial<ObjectReference> | undefined,
    request: Request,
  ): Promise<Result> {
    return this.#caller.call({
      ...request,
      onRequest: this.#onRequest,
      apiVersion: type.apiVersion,
      kind: type.kind,
      resource: type.plural,
      confidential: type.confidential,
      name: reference?.name,
      namespace: type.namespaced ? reference?.namespace : undefined,
    });
  }
}

/** Says what the object is, so that its author need not. */
function bodyOf<T extends KubernetesObject>({ apiVersion, kind }: ResourceType<T>, object: T): string {
  return JSON.stringify({ ...object, apiVersion, kind }).replace(noYaml, escaped);
}

/** What JSON takes as it is and YAML does not: an API server reads what is applied as YAML. */
const noYaml = /[\p{Cc}\ufffe\uffff]/gu;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
