import type { Manifest } from '../manifest.ts';
import type { Installation } from './installation.ts';
import { secretsNamespace } from './names.ts';
import { partOfCilium } from './part-labels.ts';
import { read, rule } from './policy-rule.ts';
import { namespaceGrant } from './roles.ts';

/**
 * A namespace for copies of the Secrets that policies name for TLS: agents read Secrets here alone. v1.15 would read them
 * where they are, and its chart gives it no right to.
 */
export function secretsNamespaceManifests({ line }: Installation): readonly Manifest[] {
  if (line === 'v1.15') return [];
  const grants = [
    ...namespaceGrant('cilium-tlsinterception-secrets', 'cilium', [rule('', 'secrets', read)]),
    ...namespaceGrant('cilium-operator-tlsinterception-secrets', 'cilium-operator', [
      rule('', 'secrets', 'create delete update patch'),
    ]),
  ];
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: secretsNamespace, labels: partOfCilium } },
    ...grants.map((grant) => ({ ...grant, metadata: { ...grant.metadata, namespace: secretsNamespace } })),
  ];
}
