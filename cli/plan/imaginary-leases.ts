import type { JsonPatchOperation, KubernetesObject } from '../../shared/kubernetes/kubernetes-object.ts';
import type { ObjectReference } from '../../shared/kubernetes/object-path.ts';
import { applyJsonPatch } from './json-patch.ts';

/** Leases that nobody else sees: a plan changes nothing, so it waits for nobody and lets nobody wait. */
export class ImaginaryLeases {
  readonly #leases = new Map<string, KubernetesObject>();
  #version = 0;

  find({ name }: ObjectReference): KubernetesObject | undefined {
    return this.#leases.get(name);
  }

  create(lease: KubernetesObject): KubernetesObject {
    return this.#store({ ...lease, metadata: { ...lease.metadata, uid: 'imaginary' } });
  }

  patch(reference: ObjectReference, operations: readonly JsonPatchOperation[]): KubernetesObject {
    return this.#store(applyJsonPatch(this.find(reference) ?? {}, operations));
  }

  delete({ name }: ObjectReference): void {
    this.#leases.delete(name);
  }

  #store(lease: KubernetesObject): KubernetesObject {
    this.#version += 1;
    const stored = { ...lease, metadata: { ...lease.metadata, resourceVersion: String(this.#version) } };
    this.#leases.set(lease.metadata?.name ?? '', stored);
    return stored;
  }
}
