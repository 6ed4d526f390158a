import type { CustomResourceDefinition } from './manifests.ts';

interface Definition {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Of a whole object, as OpenAPI v3 has it. */
  readonly schema: object;
  /** @default none */
  readonly categories?: readonly string[];
  /** @default none */
  readonly subresources?: object;
}

/** The definition of a kind whose objects are in namespaces, in one version. */
export function namespacedDefinition(definition: Definition): CustomResourceDefinition {
  const { group, version, kind, schema, categories = [], subresources = {} } = definition;
  const singular = kind.toLowerCase();
  const plural = `${singular}s`.replace(/ys$/, 'ies');
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, listKind: `${kind}List`, plural, singular, categories },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: schema }, subresources }],
    },
  };
}
