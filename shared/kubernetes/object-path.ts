import { InvalidError } from './errors.ts';
import type { KubernetesObject } from './kubernetes-object.ts';
import type { ResourceType } from './resources.ts';

/** Which object of a kind; the namespace is needed exactly where the kind has one. */
export interface ObjectReference {
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** RFC 1123 subdomain, the rule for the names of almost every kind. */
const objectName = /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/;
/** Roles and their bindings may have any name that is one part of a path; these are the ones in use, as `system:node`. */
const roleName = /^[A-Za-z0-9](?:[-A-Za-z0-9.:_]{0,251}[A-Za-z0-9])?$/;
/** RFC 1123 label. */
const namespaceName = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * Path of one object.
 * @throws InvalidError for a name that no object can have: an empty one would mean the whole collection, `..` another path.
 */
export function objectPath<T extends KubernetesObject>(type: ResourceType<T>, reference: ObjectReference): string {
  const names = type.apiVersion.startsWith('rbac.') ? roleName : objectName;
  if (!names.test(reference.name)) throw invalidName(type.kind, 'name', reference.name);
  return `${creationPath(type, reference.namespace)}/${encodeURIComponent(reference.name)}`;
}

/**
 * Path at which objects of a kind are created.
 * @throws InvalidError for a missing namespace, or one that cannot exist.
 */
export function creationPath<T extends KubernetesObject>(type: ResourceType<T>, namespace: string | undefined): string {
  if (type.namespaced && namespace === undefined) throw invalidName(type.kind, 'namespace', namespace);
  return collectionPath(type, namespace);
}

/**
 * Path of the objects of a kind in a namespace; without one, in all of them.
 * @throws InvalidError for a namespace that cannot exist.
 */
export function collectionPath<T extends KubernetesObject>(
  type: ResourceType<T>,
  namespace: string | undefined,
): string {
  const root = type.apiVersion.includes('/') ? `/apis/${type.apiVersion}` : `/api/${type.apiVersion}`;
  if (!type.namespaced || namespace === undefined) return `${root}/${type.plural}`;
  if (!namespaceName.test(namespace)) throw invalidName(type.kind, 'namespace', namespace);
  return `${root}/namespaces/${encodeURIComponent(namespace)}/${type.plural}`;
}

function invalidName(kind: string, what: 'name' | 'namespace', value: string | undefined): InvalidError {
  const shown = value === undefined ? 'nothing' : JSON.stringify(value.slice(0, 80));
  return new InvalidError(`${shown} cannot be the ${what} of a ${kind}`, { reason: 'Invalid' });
}
