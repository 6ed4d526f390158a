import type { CallOptions, KubernetesClientOptions } from '../../shared/kubernetes/caller.ts';
import type {
  ApplyOptions,
  CreateOptions,
  DeleteOptions,
  JsonPatch,
  KubernetesClient,
} from '../../shared/kubernetes/client.ts';
import type { KubernetesConnection } from '../../shared/kubernetes/connection.ts';
import { NotFoundError } from '../../shared/kubernetes/errors.ts';
import { HttpKubernetesClient } from '../../shared/kubernetes/http-client.ts';
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes-object.ts';
import type { ListOptions } from '../../shared/kubernetes/list.ts';
import type { ObjectReference } from '../../shared/kubernetes/object-path.ts';
import { type ResourceType, resources } from '../../shared/kubernetes/resources.ts';
import { DryRunCaller } from './dry-run-caller.ts';
import { DryWriter } from './dry-writer.ts';
import { ImaginaryLeases } from './imaginary-leases.ts';
import type { Overlay } from './overlay.ts';

export interface DryClientOptions {
  /** What would be different in the cluster of the connection. */
  readonly overlay: Overlay;
  /** The same of every cluster that the operation itself connects to. */
  readonly elsewhere: Overlay;
}

/**
 * A client whose writes the API server judges and does not store. What it would have stored is remembered, so that the operation
 * finds it again when it reads. Leases are imaginary.
 */
export class DryClient implements KubernetesClient {
  readonly #live: KubernetesClient;
  readonly #options: DryClientOptions;
  readonly #writer: DryWriter;
  readonly #leases = new ImaginaryLeases();

  constructor(connection: KubernetesConnection, options: DryClientOptions & KubernetesClientOptions) {
    this.#options = options;
    this.#live = new HttpKubernetesClient(new DryRunCaller(connection, options));
    this.#writer = new DryWriter(this.#live, options.overlay);
  }

  async get<T extends KubernetesObject>(
    type: ResourceType<T>,
    reference: ObjectReference,
    options?: CallOptions,
  ): Promise<T> {
    const found = await this.find(type, reference, options);
    if (found !== undefined) return found;
    throw new NotFoundError(`${type.kind} ${reference.name} is not there.`, { apiStatus: 404, reason: 'NotFound' });
  }

  async find<T extends KubernetesObject>(
    type: ResourceType<T>,
    reference: ObjectReference,
    options?: CallOptions,
  ): Promise<T | undefined> {
    if (isLease(type)) return copyOf<T>(this.#leases.find(reference));
    const { overlay } = this.#options;
    const written = overlay.written(type, reference);
    if (written !== undefined) return copyOf<T>(written.after);
    const found = await this.#live.find(type, reference, options);
    if (found !== undefined) overlay.see(type, found);
    return found;
  }

  async list<T extends KubernetesObject>(type: ResourceType<T>, options: ListOptions = {}): Promise<readonly T[]> {
    const { overlay } = this.#options;
    const live = await this.#live.list(type, options);
    for (const object of live) overlay.see(type, object);
    return overlay.listed(type, live, options).flatMap((object) => copyOf<T>(object) ?? []);
  }

  async *each<T extends KubernetesObject>(type: ResourceType<T>, options?: ListOptions): AsyncGenerator<T> {
    yield* await this.list(type, options);
  }

  async create<T extends KubernetesObject>(type: ResourceType<T>, object: T, options?: CreateOptions): Promise<T> {
    const stored = isLease(type) ? this.#leases.create(object) : await this.#writer.create(type, object, options);
    return copyOf<T>(stored);
  }

  async apply<T extends KubernetesObject>(type: ResourceType<T>, object: T, options?: ApplyOptions): Promise<T> {
    return copyOf<T>(await this.#writer.apply(type, object, options));
  }

  async patch<T extends KubernetesObject>(
    type: ResourceType<T>,
    reference: ObjectReference,
    patch: JsonPatch,
  ): Promise<T> {
    const stored = isLease(type)
      ? this.#leases.patch(reference, patch.operations)
      : await this.#writer.patch(type, reference, patch);
    return copyOf<T>(stored);
  }

  async delete<T extends KubernetesObject>(
    type: ResourceType<T>,
    reference: ObjectReference,
    options?: DeleteOptions,
  ): Promise<void> {
    if (isLease(type)) this.#leases.delete(reference);
    else await this.#writer.delete(type, reference, options);
  }

  observedBy(): KubernetesClient {
    return this;
  }

  connectTo(connection: KubernetesConnection, options: KubernetesClientOptions = {}): KubernetesClient {
    const { elsewhere } = this.#options;
    return new DryClient(connection, { ...options, overlay: elsewhere, elsewhere });
  }

  serverTime(): number | undefined {
    return this.#live.serverTime();
  }

  close(): void {
    this.#live.close();
  }
}

function isLease({ kind }: ResourceType<KubernetesObject>): boolean {
  return kind === resources.lease.kind;
}

function copyOf<T extends KubernetesObject>(object: KubernetesObject): T;
function copyOf<T extends KubernetesObject>(object: KubernetesObject | undefined): T | undefined;
/** As it would come over the wire: whoever asks for an object of a kind has one of its type, and may not change ours. */
function copyOf<T extends KubernetesObject>(object: KubernetesObject | undefined): T | undefined {
  return object === undefined ? undefined : JSON.parse(JSON.stringify(object));
}
