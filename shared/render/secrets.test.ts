import { expect, test } from 'vitest';
import { certificateSecrets } from './secrets.ts';

const pair = (name: string) => ({ certificate: `${name} certificate`, private_key: `${name} key é` });
const certificates = { ca: pair('ca'), etcd: pair('etcd'), front_proxy: pair('front'), sa: pair('sa') };

test.each([
  ['kube-abcde-ca', 'ca'],
  ['kube-abcde-etcd', 'etcd'],
  ['kube-abcde-proxy', 'front'],
  ['kube-abcde-sa', 'sa'],
])('the Secret %s holds the pair of %s as Cluster API looks for it', (name, title) => {
  const secret = certificateSecrets('kube-abcde', certificates).find(({ metadata }) => metadata.name === name);
  expect(secret).toEqual({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name,
      namespace: 'magnum-system',
      labels: {
        'cluster.x-k8s.io/cluster-name': 'kube-abcde',
        'app.kubernetes.io/managed-by': 'magnum-capi-functions',
      },
    },
    type: 'cluster.x-k8s.io/secret',
    data: {
      'tls.crt': Buffer.from(`${title} certificate`).toString('base64'),
      'tls.key': Buffer.from(`${title} key é`).toString('base64'),
    },
  });
});
