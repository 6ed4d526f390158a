import { randomBytes } from 'node:crypto';
import type {
  ApplyOptions,
  CreateOptions,
  DeleteOptions,
  JsonPatch,
  KubernetesClient,
} from '../../shared/kubernetes/client.ts';
import { NotFoundError } from '../../shared/kubernetes/errors.ts';
import type { JsonPatchOperation, KubernetesObject } from '../../shared/kubernetes/kubernetes-object.ts';
import type { ObjectReference } from '../../shared/kubernetes/object-path.ts';
import { type ResourceType, resources } from '../../shared/kubernetes/resources.ts';
import { applyJsonPatch } from './json-patch.ts';
import type { DryWrite, Overlay } from './overlay.ts';
import { classOf, newClassOf, versionChange } from './unseen-class.ts';
import { withVariableDefaults } from './variable-defaults.ts';

/** An order of writes that no dry run can follow, since the API server judges each one beside what lives. */
class UnforeseenError extends Error {
  override readonly name = 'UnforeseenError';
}

type Type = ResourceType<KubernetesObject>;

/** Has the API server judge writes on top of those before. */
export class DryWriter {
  /** Sends each write as a dry run. */
  readonly #live: KubernetesClient;
  readonly #overlay: Overlay;

  constructor(live: KubernetesClient, overlay: Overlay) {
    this.#live = live;
    this.#overlay = overlay;
  }

  async create(type: Type, object: KubernetesObject, options?: CreateOptions): Promise<KubernetesObject> {
    const reference = referenceOf(object);
    const written = this.#overlay.written(type, reference);
    const stored = isDeleted(written)
      ? await this.#createElsewhere(type, object)
      : await this.#live.create(type, object, options);
    // What is not stored gets no version.
    const metadata = { resourceVersion: '0', ...stored.metadata };
    const after = this.#withDefaults({ ...stored, metadata });
    return this.#remember({ type, reference, before: written?.before, after, operations: null });
  }

  async apply(type: Type, object: KubernetesObject, options?: ApplyOptions): Promise<KubernetesObject> {
    const reference = referenceOf(object);
    const written = this.#overlay.written(type, reference);
    if (isDeleted(written)) return this.create(type, object, options);
    if (written?.operations) throw unforeseen(type, reference);
    const before = written === undefined ? await this.#live.find(type, reference) : written.before;
    const after = await this.#live.apply(type, object, options);
    return this.#remember({ type, reference, before, after, operations: null });
  }

  async patch(type: Type, reference: ObjectReference, patch: JsonPatch): Promise<KubernetesObject> {
    const written = this.#overlay.written(type, reference);
    if (isDeleted(written)) throw notFound(type, reference);
    if (written !== undefined && written.before === undefined) return this.#patchNew(written, patch.operations);
    if (written?.operations === null) throw unforeseen(type, reference);
    const operations = [...(written?.operations ?? []), ...patch.operations];
    const before = written?.before ?? (await this.#base(type, reference, patch.resourceVersion));
    const after = await this.#patched(type, before, { ...patch, operations });
    return this.#remember({ type, reference, before, after, operations });
  }

  async delete(type: Type, reference: ObjectReference, options?: DeleteOptions): Promise<void> {
    const written = this.#overlay.written(type, reference);
    if (isDeleted(written)) throw notFound(type, reference);
    const isNew = written !== undefined && written.before === undefined;
    const before = written?.before ?? this.#overlay.seen(type, reference) ?? (await this.#live.find(type, reference));
    if (!isNew) await this.#live.delete(type, reference, options);
    this.#overlay.write({ type, reference, before: isNew ? undefined : before, after: undefined, operations: null });
  }

  #remember(write: DryWrite & { readonly after: KubernetesObject }): KubernetesObject {
    this.#overlay.write(write);
    return write.after;
  }

  /** The live object that a patch is based on. */
  async #base(type: Type, reference: ObjectReference, version: string | undefined): Promise<KubernetesObject> {
    const seen = this.#overlay.seen(type, reference);
    if (seen !== undefined && version !== undefined && seen.metadata?.resourceVersion === version) return seen;
    return this.#live.get(type, reference);
  }

  async #patched(type: Type, before: KubernetesObject, patch: JsonPatch): Promise<KubernetesObject> {
    const reference = referenceOf(before);
    const className = newClassOf(type, before, patch.operations);
    const isUnseen = className !== null && this.#isNew(resources.clusterClass, { ...reference, name: className });
    if (!isUnseen) return this.#live.patch(type, reference, patch);
    const operations = versionChange(patch.operations);
    if (operations.length > 0) await this.#live.patch(type, reference, { ...patch, operations });
    const judged = await this.#createElsewhere(type, copyOf(applyJsonPatch(before, patch.operations)));
    const { labels, annotations } = judged.metadata ?? {};
    return copyOf({ ...this.#withDefaults(judged), metadata: { ...before.metadata, labels, annotations } });
  }

  async #patchNew(written: DryWrite, operations: readonly JsonPatchOperation[]): Promise<KubernetesObject> {
    const { type, after = {} } = written;
    const stored = await this.#live.create(type, toCreate(copyOf(applyJsonPatch(after, operations))));
    return this.#remember({ ...written, after: stored });
  }

  /** Under another name, since the name is an object's that only the plan has deleted, or changes. */
  async #createElsewhere(type: Type, object: KubernetesObject): Promise<KubernetesObject> {
    const name = object.metadata?.name ?? '';
    const substitute = `${name.slice(0, 40)}-${randomBytes(4).toString('hex')}`;
    const { metadata, ...content } = toCreate(object);
    const stored = await this.#live.create(type, { ...content, metadata: { ...metadata, name: substitute } });
    return { ...stored, metadata: { ...stored.metadata, name } };
  }

  /** Values that Cluster API's webhook would give to a Cluster's variables, had it found the class. */
  #withDefaults(object: KubernetesObject): KubernetesObject {
    const className = classOf(object);
    if (object.kind !== resources.cluster.kind || className === null) return object;
    const written = this.#overlay.written(resources.clusterClass, { ...referenceOf(object), name: className });
    return written?.before === undefined ? withVariableDefaults(object, written?.after) : object;
  }

  #isNew(type: Type, reference: ObjectReference): boolean {
    const written = this.#overlay.written(type, reference);
    return written !== undefined && written.before === undefined;
  }
}

function referenceOf({ metadata }: KubernetesObject): ObjectReference {
  return { name: metadata?.name ?? '', namespace: metadata?.namespace };
}

function isDeleted(written: DryWrite | undefined): boolean {
  return written !== undefined && written.after === undefined;
}

/** Without what only stored objects have. */
function toCreate(object: KubernetesObject): KubernetesObject {
  const { name, namespace, labels, annotations, ownerReferences, finalizers } = object.metadata ?? {};
  const metadata = { name, namespace, labels, annotations, ownerReferences, finalizers };
  return copyOf({ ...object, metadata, status: undefined });
}

function copyOf(object: object): KubernetesObject {
  return JSON.parse(JSON.stringify(object));
}

function notFound({ kind }: Type, { name }: ObjectReference): NotFoundError {
  return new NotFoundError(`${kind} ${name} would be deleted by then.`, { apiStatus: 404, reason: 'NotFound' });
}

function unforeseen({ kind }: Type, { name }: ObjectReference): UnforeseenError {
  return new UnforeseenError(`The operation writes ${kind} ${name} twice, in an order that a plan cannot follow.`);
}
