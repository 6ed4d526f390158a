import type { ManifestIdentity } from '../render/addons/manifest-identity.ts';
import type { ObjectReference } from './object-path.ts';
import { pluralOf } from './plural-of.ts';
import type { ResourceType } from './resources.ts';

/** Where the API server serves a kind, by the rule of Kubernetes' names; every kind of an add-on keeps to it. */
export function manifestType({ apiVersion, kind, namespace }: ManifestIdentity): ResourceType {
  return { apiVersion, kind, plural: pluralOf(kind.toLowerCase()), namespaced: namespace !== null };
}

export function manifestReference({ name, namespace }: ManifestIdentity): ObjectReference {
  return namespace === null ? { name } : { name, namespace };
}
