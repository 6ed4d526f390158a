import type { ManifestIdentity } from '../render/addons/manifest-identity.ts';
import type { ObjectReference } from './object-path.ts';
import type { ResourceType } from './resources.ts';

/** Where the API server serves a kind, by the rule of Kubernetes' names; every kind of an add-on keeps to it. */
export function manifestType({ apiVersion, kind, namespace }: ManifestIdentity): ResourceType {
  return { apiVersion, kind, plural: pluralOf(kind.toLowerCase()), namespaced: namespace !== null };
}

function pluralOf(kind: string): string {
  if (kind.endsWith('y')) return `${kind.slice(0, -1)}ies`;
  return kind.endsWith('s') ? `${kind}es` : `${kind}s`;
}

export function manifestReference({ name, namespace }: ManifestIdentity): ObjectReference {
  return namespace === null ? { name } : { name, namespace };
}
