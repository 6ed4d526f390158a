import { Caller, type CallOptions, type KubernetesClientOptions, type RequestObserver } from './caller.ts';
import type { KubernetesConnection } from './connection.ts';
import { HttpKubernetesClient } from './http-client.ts';
import type { JsonPatchOperation, KubernetesObject } from './kubernetes-object.ts';
import type { ListOptions } from './list.ts';
import type { ObjectReference } from './object-path.ts';
import type { ResourceType } from './resources.ts';

export interface CreateOptions extends CallOptions {
  /**
   * Sending it twice does no harm: nothing is stored (reviews), or the caller knows its own object again when it gets
   * AlreadyExists. @default false
   */
  readonly repeatable?: boolean | undefined;
}

export interface ApplyOptions extends CallOptions {
  /** Take over fields that another manager owns, instead of a ConflictError. @default false */
  readonly force?: boolean | undefined;
}

export interface JsonPatch extends CallOptions {
  readonly operations: readonly JsonPatchOperation[];
  /** Version that the patch is based on; another one gives a ConflictError and nothing is written. */
  readonly resourceVersion?: string | undefined;
}

export interface DeleteOptions extends CallOptions {
  /** Delete only this very object, not one that took its name. With it, or a version, the call is repeatable. */
  readonly uid?: string | undefined;
  /** Delete only this version of the object. */
  readonly resourceVersion?: string | undefined;
  /** @default the API server's: Background for most kinds */
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan' | undefined;
}

/** Every method @throws KubernetesError of the class that fits the answer (see errors.ts). */
export interface KubernetesClient {
  /** @throws NotFoundError */
  get<T extends KubernetesObject>(type: ResourceType<T>, reference: ObjectReference, options?: CallOptions): Promise<T>;
  /** Like `get`, but undefined when there is no such object. */
  find<T extends KubernetesObject>(
    type: ResourceType<T>,
    reference: ObjectReference,
    options?: CallOptions,
  ): Promise<T | undefined>;
  /** All objects as one array. */
  list<T extends KubernetesObject>(type: ResourceType<T>, options?: ListOptions): Promise<readonly T[]>;
  /** All objects one by one, a page in memory at a time; each object once, but not all as of the same moment. */
  each<T extends KubernetesObject>(type: ResourceType<T>, options?: ListOptions): AsyncIterable<T>;
  /** @throws ConflictError AlreadyExists */
  create<T extends KubernetesObject>(type: ResourceType<T>, object: T, options?: CreateOptions): Promise<T>;
  /** Server-side apply: what the object says and this manager said before is ours; the rest stays. */
  apply<T extends KubernetesObject>(type: ResourceType<T>, object: T, options?: ApplyOptions): Promise<T>;
  /** @throws ConflictError when the version is another one, a `test` does not hold, or a path is gone. */
  patch<T extends KubernetesObject>(type: ResourceType<T>, reference: ObjectReference, patch: JsonPatch): Promise<T>;
  /** @throws NotFoundError, ConflictError when it is not the object of the preconditions. */
  delete<T extends KubernetesObject>(
    type: ResourceType<T>,
    reference: ObjectReference,
    options?: DeleteOptions,
  ): Promise<void>;
  /** The same client, same connections, that also tells this observer of its requests, e.g. to count those of one event. */
  observedBy(onRequest: RequestObserver): KubernetesClient;
  /** A client of another API server, made in the same way: that of a dry run runs dry there too. Whoever asks for it closes it. */
  connectTo(connection: KubernetesConnection, options?: KubernetesClientOptions): KubernetesClient;
  /** The API server's clock, in milliseconds since the epoch (see `ServerClock`); undefined before the first answer. */
  serverTime(): number | undefined;
  /** Closes the kept connections; calls under way fail. */
  close(): void;
}

/** A client that keeps its connections; one for a process. */
export function createKubernetesClient(
  connection: KubernetesConnection,
  options: KubernetesClientOptions = {},
): KubernetesClient {
  return new HttpKubernetesClient(new Caller(connection, options));
}
