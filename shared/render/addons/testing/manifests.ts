import type { Manifest } from '../manifest.ts';

/**
 * The one object of this kind and name.
 * @param T what the object is known to be
 * @throws Error where there is none, or more than one
 */
export function find<T = Record<string, unknown>>(manifests: readonly Manifest[], kind: string, name: string): T {
  const matching = manifests.filter((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  const [only] = matching;
  if (only === undefined || matching.length > 1) throw new Error(`There are ${matching.length} of ${kind} ${name}.`);
  return only as unknown as T;
}

/** `kind namespace/name` of each, without the namespace where it has none. */
export function identities(manifests: readonly Manifest[]): readonly string[] {
  return manifests.map(
    ({ kind, metadata: { name, namespace } }) => `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`,
  );
}
