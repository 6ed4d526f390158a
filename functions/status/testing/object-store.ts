import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes-object.ts';
import { collectionPath } from '../../../shared/kubernetes/object-path.ts';
import type { ResourceType } from '../../../shared/kubernetes/resources.ts';
import { applyPatch } from '../../../shared/kubernetes/testing/apply-patch.ts';

const stored = z.looseObject({
  metadata: z.looseObject({
    name: z.string(),
    uid: z.string(),
    resourceVersion: z.string(),
    labels: z.record(z.string(), z.string()).optional(),
    annotations: z.record(z.string(), z.string()).optional(),
  }),
});
export type StoredObject = z.infer<typeof stored>;

/** An answer of the API server. */
interface Answer {
  readonly code: number;
  readonly body: object;
}

const incoming = z.looseObject({ metadata: z.looseObject({ name: z.string() }) });
const deletion = z.looseObject({
  preconditions: z.looseObject({ uid: z.string().optional(), resourceVersion: z.string().optional() }).default({}),
});

/** Selector of a list of one name. */
const byName = /^metadata\.name=(.+)$/;
const collection = /\/namespaces\/[^/]+\/[^/]+$/;

/** Stands for an API server over real HTTP: it keeps objects and their versions, and remembers what was asked. */
export class ObjectStore {
  /** Methods and paths, without the query; a list of one name is that object's read. */
  readonly calls: string[] = [];
  /** Runs before a call is carried out; a failure of this code is answered instead. */
  intercept: (call: string) => Promise<number | undefined> = async () => undefined;
  readonly #objects = new Map<string, StoredObject>();
  #version = 0;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const { method = '', url = '' } = request;
      text(request)
        .then((body) => this.#answer(method, new URL(url, 'http://localhost'), body))
        .catch((error: unknown) => failure(500, String(error)))
        .then(({ code, body }) => {
          response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
        });
    });
  }

  static async start(): Promise<ObjectStore> {
    const store = new ObjectStore();
    await new Promise<void>((resolve) => store.#server.listen(0, '127.0.0.1', resolve));
    return store;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  /** Writes an object as another client does: it gets a new version. */
  put<T extends KubernetesObject>(type: ResourceType<T>, object: T): void {
    this.#save(pathOf(type, object.metadata?.name ?? ''), object);
  }

  find(type: ResourceType<KubernetesObject>, name: string): StoredObject | undefined {
    return this.#objects.get(pathOf(type, name));
  }

  remove(type: ResourceType<KubernetesObject>, name: string): void {
    this.#objects.delete(pathOf(type, name));
  }

  async #answer(method: string, url: URL, body: string): Promise<Answer> {
    const { pathname: path, searchParams } = url;
    const call = [`${method} ${path}`, nameIn(searchParams) ?? []].flat().join('/');
    this.calls.push(call);
    const code = await this.intercept(call);
    if (code !== undefined) return failure(code, code === 409 ? 'Conflict' : 'Intercepted');
    if (method === 'POST') return this.#create(path, JSON.parse(body));
    if (method === 'GET' && collection.test(path)) return this.#list(path, searchParams);
    const found = this.#objects.get(path);
    if (found === undefined) return failure(404, 'NotFound');
    if (method === 'GET') return { code: 200, body: found };
    return method === 'PATCH'
      ? this.#patch(path, found, JSON.parse(body))
      : this.#delete(path, found, JSON.parse(body));
  }

  #create(path: string, body: unknown): Answer {
    const key = `${path}/${incoming.parse(body).metadata.name}`;
    return this.#objects.has(key) ? failure(409, 'AlreadyExists') : { code: 201, body: this.#save(key, body) };
  }

  #list(path: string, query: URLSearchParams): Answer {
    const name = nameIn(query);
    if (name !== undefined) return listOf(this.#objects.get(`${path}/${name}`));
    const selector = query.get('labelSelector') ?? '';
    const items = [...this.#objects].filter(([key, object]) => key.startsWith(`${path}/`) && matches(object, selector));
    return listOf(...items.map(([, object]) => object));
  }

  #patch(path: string, found: StoredObject, body: unknown): Answer {
    const patched = applyPatch(found, body);
    return patched === null ? failure(409, 'Conflict') : { code: 200, body: this.#save(path, patched) };
  }

  #delete(path: string, { metadata }: StoredObject, body: unknown): Answer {
    const { uid = metadata.uid, resourceVersion = metadata.resourceVersion } = deletion.parse(body).preconditions;
    if (uid !== metadata.uid || resourceVersion !== metadata.resourceVersion) return failure(409, 'Conflict');
    this.#objects.delete(path);
    return { code: 200, body: { kind: 'Status', status: 'Success' } };
  }

  #save(path: string, object: unknown): StoredObject {
    const { metadata, ...rest } = incoming.parse(object);
    this.#version += 1;
    const uid = this.#objects.get(path)?.metadata.uid ?? `uid-${this.#version}`;
    const saved = stored.parse({ ...rest, metadata: { uid, ...metadata, resourceVersion: String(this.#version) } });
    this.#objects.set(path, saved);
    return saved;
  }
}

function pathOf(type: ResourceType<KubernetesObject>, name: string): string {
  return `${collectionPath(type, 'magnum-system')}/${name}`;
}

/** The name in a list of one name. */
function nameIn(query: URLSearchParams): string | undefined {
  return byName.exec(query.get('fieldSelector') ?? '')?.[1];
}

function listOf(...objects: readonly (StoredObject | undefined)[]): Answer {
  return { code: 200, body: { metadata: {}, items: objects.filter((object) => object !== undefined) } };
}

function failure(code: number, reason: string): Answer {
  const details = { kind: 'objects' };
  return { code, body: { kind: 'Status', status: 'Failure', code, reason, message: reason, details } };
}

/** Selectors as the driver writes them: a label exists, or has a value. */
function matches({ metadata: { labels = {} } }: StoredObject, selector: string): boolean {
  const terms = selector.split(',').filter((term) => term !== '');
  return terms.every((term) => {
    const [key = '', value] = term.split('=');
    return value === undefined ? Object.hasOwn(labels, key) : labels[key] === value;
  });
}
