import { base64 } from './base64.ts';
import { clusterNameLabel, managedByLabel, managementNamespace } from './metadata.ts';
import type { Secret } from './rendered-object.ts';
import { stackNames } from './stack-names.ts';

/** Both in PEM, the key decrypted. */
export interface CertificateAndKey {
  readonly certificate: string;
  readonly private_key: string;
}

/** The `certificates` of a create event: Magnum's authorities and, as `sa`, its client pair. */
export interface Certificates {
  readonly ca: CertificateAndKey;
  readonly etcd: CertificateAndKey;
  readonly front_proxy: CertificateAndKey;
  readonly sa: CertificateAndKey;
}

/** Type that Cluster API expects of the Secrets which it finds by name. */
const clusterSecretType = 'cluster.x-k8s.io/secret';

/** The four Secrets from which Cluster API takes the cluster's certificates instead of making its own (original-facts §2). */
export function certificateSecrets(stackId: string, certificates: Certificates): Secret[] {
  const names = stackNames(stackId).certificates;
  return [
    certificateSecret(stackId, names.ca, certificates.ca),
    certificateSecret(stackId, names.etcd, certificates.etcd),
    certificateSecret(stackId, names.frontProxy, certificates.front_proxy),
    certificateSecret(stackId, names.sa, certificates.sa),
  ];
}

function certificateSecret(stackId: string, name: string, pair: CertificateAndKey): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: managementNamespace, labels: { [clusterNameLabel]: stackId, ...managedByLabel } },
    type: clusterSecretType,
    data: { 'tls.crt': base64(pair.certificate), 'tls.key': base64(pair.private_key) },
  };
}
