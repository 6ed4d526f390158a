import { createHash } from 'node:crypto';
import type { LoadBalancerIntent } from '../../../magnum/cluster-intent.ts';
import { base64 } from '../../base64.ts';
import type { Secret } from '../../rendered-object.ts';
import { type CloudConfAccess, cloudConf } from './cloud-conf.ts';

/** Namespace and name of the Secret in the workload cluster that its cloud integrations mount. */
export const workloadCloudConfig = { namespace: 'kube-system', name: 'cloud-config' } as const;

export interface CloudConfigContent {
  /** Text of `cloud.conf`. */
  readonly cloudConf: string;
  /** PEM; '' = none. */
  readonly caCertificate: string;
}

/** What the Secret of a cluster holds. @throws RangeError for a value that cloud.conf cannot carry */
export function cloudConfigContent(access: CloudConfAccess, loadBalancer: LoadBalancerIntent): CloudConfigContent {
  return { cloudConf: cloudConf(access, loadBalancer), caCertificate: access.caCertificate };
}

/** The Secret `kube-system/cloud-config` of the workload cluster. Its `ca.crt` is there even where it is empty. */
export function cloudConfigManifest({ cloudConf, caCertificate }: CloudConfigContent): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...workloadCloudConfig },
    type: 'Opaque',
    data: { 'cloud.conf': base64(cloudConf), 'ca.crt': base64(caCertificate) },
  };
}

/** Changes whenever a pod that has read the Secret at its start has to start again. */
export function cloudConfigHash({ cloudConf, caCertificate }: CloudConfigContent): string {
  return createHash('sha256')
    .update(JSON.stringify([cloudConf, caCertificate]))
    .digest('hex');
}
