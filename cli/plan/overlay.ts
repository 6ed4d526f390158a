import type { JsonPatchOperation, KubernetesObject } from '../../shared/kubernetes/kubernetes-object.ts';
import type { ListOptions } from '../../shared/kubernetes/list.ts';
import type { ObjectReference } from '../../shared/kubernetes/object-path.ts';
import type { ResourceType } from '../../shared/kubernetes/resources.ts';
import { matchesSelectors } from './selector-match.ts';

/** An object that would be written. */
export interface DryWrite {
  readonly type: ResourceType<KubernetesObject>;
  readonly reference: ObjectReference;
  /** As it lives; undefined where there is none. */
  readonly before: KubernetesObject | undefined;
  /** As the API server would store it; undefined where it would be deleted. */
  readonly after: KubernetesObject | undefined;
  /** All patches of the live object so far; null where it was not only patched. */
  readonly operations: readonly JsonPatchOperation[] | null;
}

/** What would be different at one API server, and what was read of it. */
export class Overlay {
  readonly #writes = new Map<string, DryWrite>();
  readonly #seen = new Map<string, KubernetesObject>();

  /** In the order of the first write of each object. */
  get writes(): readonly DryWrite[] {
    return [...this.#writes.values()];
  }

  /** Remembers an object as it lives. */
  see(type: ResourceType<KubernetesObject>, object: KubernetesObject): void {
    this.#seen.set(keyOf(type, { name: object.metadata?.name ?? '', namespace: object.metadata?.namespace }), object);
  }

  /** The object as it was last read. */
  seen(type: ResourceType<KubernetesObject>, reference: ObjectReference): KubernetesObject | undefined {
    return this.#seen.get(keyOf(type, reference));
  }

  written(type: ResourceType<KubernetesObject>, reference: ObjectReference): DryWrite | undefined {
    return this.#writes.get(keyOf(type, reference));
  }

  write(write: DryWrite): void {
    const key = keyOf(write.type, write.reference);
    if (write.before === undefined && write.after === undefined) this.#writes.delete(key);
    else this.#writes.set(key, write);
  }

  /** What a list would give, from what lives. */
  listed(
    type: ResourceType<KubernetesObject>,
    live: readonly KubernetesObject[],
    options: ListOptions,
  ): readonly KubernetesObject[] {
    const writes = this.writes.filter((write) => write.type.kind === type.kind && write.type.plural === type.plural);
    if (writes.length === 0) return live;
    const names = new Set(writes.map(({ reference }) => keyOf(type, reference)));
    const others = live.filter(({ metadata }) => {
      return !names.has(keyOf(type, { name: metadata?.name ?? '', namespace: metadata?.namespace }));
    });
    const found = writes.flatMap(({ after }) =>
      after !== undefined && matchesSelectors(after, options) ? [after] : [],
    );
    return [...others, ...found];
  }
}

function keyOf({ kind, plural, namespaced }: ResourceType<KubernetesObject>, reference: ObjectReference): string {
  return `${kind}/${plural}/${namespaced ? reference.namespace : ''}/${reference.name}`;
}
