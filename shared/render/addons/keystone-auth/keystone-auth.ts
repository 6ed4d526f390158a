import type { V1Container, V1DaemonSetSpec, V1Volume } from '@kubernetes/client-node';
import type { Wire } from '../../../kubernetes/kubernetes-object.ts';
import type { AddonInput } from '../addon.ts';
import { workloadCloudConfig } from '../cloud-conf/cloud-config-manifest.ts';
import {
  clusterRole,
  clusterRoleBinding,
  configMap,
  daemonSet,
  type Manifest,
  podsOf,
  service,
  serviceAccount,
} from '../manifest.ts';
import { keystonePolicy } from './keystone-policy.ts';
import { keystoneAuthImage } from './releases.ts';

const name = 'k8s-keystone-auth';
const roleName = `system:${name}`;
const policyName = `${name}-policy`;
const syncName = `${name}-sync`;
const port = 8443;

/** The selector is immutable: it has the labels of magnum-cluster-api's own chart. */
const labels = { 'app.kubernetes.io/name': name, 'app.kubernetes.io/instance': name };

/** Keystone's role `member` stands for no group and no other name (original-facts §5.6). */
const syncConfig = 'role-mappings:\n- keystone-role: member\n  groups: []\n';

/** The webhook by which the API server asks Keystone who a token's user is and what they may do (original-facts §5.6). */
export function keystoneAuth(input: AddonInput): readonly Manifest[] {
  return [
    serviceAccount({ name }),
    clusterRole({ name: roleName }, [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }]),
    clusterRoleBinding({ name: roleName }, { role: roleName, serviceAccount: name }),
    configMap({ name: policyName }, { policies: keystonePolicy(input.keystonePolicy, input.intent.projectId) }),
    configMap({ name: syncName }, { syncConfig }),
    service(
      { name },
      { type: 'ClusterIP', selector: labels, ports: [{ name: 'https', port, targetPort: port, protocol: 'TCP' }] },
    ),
    daemonSet({ name }, daemonSetSpec(input)),
  ];
}

function daemonSetSpec(input: AddonInput): Wire<V1DaemonSetSpec> {
  return podsOf(labels, {
    serviceAccountName: name,
    hostNetwork: true,
    nodeSelector: { 'node-role.kubernetes.io/master': '' },
    priorityClassName: 'system-node-critical',
    securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
    tolerations: ['NoSchedule', 'NoExecute'].map((effect) => ({ effect, operator: 'Exists' })),
    containers: [container(input)],
    volumes: files(input).map(({ volume }) => volume),
  });
}

/** Its log shows whole tokens from `--v=4` on, so it is never asked for more. */
function container(input: AddonInput): Wire<V1Container> {
  const authority = input.access.caCertificate === '' ? [] : [`--keystone-ca-file=${cloudFolder}/ca.crt`];
  return {
    name,
    image: input.image(keystoneAuthImage(input.intent)),
    args: [
      `/bin/${name}`,
      `--tls-cert-file=${certificate}`,
      `--tls-private-key-file=${key}`,
      `--policy-configmap-name=${policyName}`,
      `--keystone-url=${keystoneUrl(input.access.authUrl)}`,
      `--sync-configmap-name=${syncName}`,
      ...authority,
      `--listen=127.0.0.1:${port}`,
    ],
    ports: [{ name: 'https', containerPort: port, hostPort: port, protocol: 'TCP' }],
    securityContext: {
      // The key of the API server is root's.
      runAsUser: 0,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    },
    startupProbe,
    volumeMounts: files(input).map(({ volume, path }) => ({ name: volume.name, mountPath: path, readOnly: true })),
  };
}

/** It listens when it has its policies. Asked later as well, it would log a broken TLS handshake each time. */
const startupProbe = { tcpSocket: { host: '127.0.0.1', port }, periodSeconds: 5, failureThreshold: 24 };

/** With its version, so that the webhook starts while Keystone does not answer: it asks for the versions otherwise. */
function keystoneUrl(authUrl: string): string {
  return authUrl.replace(/(?:\/v2\.0|\/v3)?\/*$/, '/v3');
}

const certificate = '/etc/kubernetes/pki/apiserver.crt';
const key = '/etc/kubernetes/pki/apiserver.key';
const cloudFolder = '/etc/config';

interface MountedFile {
  readonly path: string;
  readonly volume: Wire<V1Volume>;
}

/** The API server's own certificate, without the authorities' keys beside it, and the cloud's authority where it has one. */
function files({ access }: AddonInput): readonly MountedFile[] {
  const serving = [hostFile('apiserver-crt', certificate), hostFile('apiserver-key', key)];
  if (access.caCertificate === '') return serving;
  const items = [{ key: 'ca.crt', path: 'ca.crt' }];
  const secret = { secretName: workloadCloudConfig.name, items };
  return [...serving, { path: cloudFolder, volume: { name: 'cloud-ca', secret } }];
}

function hostFile(volumeName: string, path: string): MountedFile {
  return { path, volume: { name: volumeName, hostPath: { path, type: 'File' } } };
}
