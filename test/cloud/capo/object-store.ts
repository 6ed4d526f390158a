import type { WatchedKind, WatchedObject } from './infrastructure-objects.ts';

/** How an object changed; `after` is missing where it is gone. */
export interface ObjectChange<T> {
  readonly before?: T;
  readonly after?: T;
}

/** The newest state of a kind's objects that was seen, by the watch or in the answer to a write. */
export class ObjectStore<T extends WatchedObject> {
  readonly kind: WatchedKind<T>;
  readonly #objects = new Map<string, T>();
  /** Uids of what is gone: the answer to a write may come after the news of its end. */
  readonly #gone = new Set<string>();
  readonly #onChange: (change: ObjectChange<T>) => void;

  constructor(kind: WatchedKind<T>, onChange: (change: ObjectChange<T>) => void) {
    this.kind = kind;
    this.#onChange = onChange;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  list(): readonly T[] {
    return [...this.#objects.values()];
  }

  /** Takes over a state, unless a newer one is known. @throws ZodError for what is not of the kind */
  put(state: unknown): T {
    const after = this.kind.schema.parse(state);
    const key = keyOf(after);
    if (isEnded(after)) {
      this.remove(key);
      return after;
    }
    const before = this.#objects.get(key);
    if (this.#gone.has(after.metadata.uid) || (before !== undefined && !isNewer(after, before))) return after;
    this.#objects.set(key, after);
    this.#onChange(before === undefined ? { after } : { before, after });
    return after;
  }

  remove(key: string): void {
    const before = this.#objects.get(key);
    if (before === undefined) return;
    this.#objects.delete(key);
    this.#gone.add(before.metadata.uid);
    this.#onChange({ before });
  }

  /** Takes over a list of all objects: what it does not name is gone. */
  replace(states: readonly unknown[]): void {
    const keys = new Set(states.map((state) => keyOf(this.put(state))));
    for (const key of [...this.#objects.keys()]) if (!keys.has(key)) this.remove(key);
  }
}

/** The answer to the removal of the last finalizer is an object that is gone already; its version may be the one before. */
function isEnded({ metadata }: WatchedObject): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length === 0;
}

export function keyOf({ metadata: { namespace, name } }: WatchedObject): string {
  return `${namespace}/${name}`;
}

/** Versions of one kind are numbers that grow (Kubernetes 1.35). */
function isNewer(one: WatchedObject, other: WatchedObject): boolean {
  return BigInt(one.metadata.resourceVersion) > BigInt(other.metadata.resourceVersion);
}
