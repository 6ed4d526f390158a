import type { V1ClusterRole, V1ClusterRoleBinding, V1ConfigMap, V1DaemonSet, V1Service } from '@kubernetes/client-node';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { sampleSnapshot } from '../../../magnum/sample-snapshots.ts';
import { toClusterIntent } from '../../../magnum/to-cluster-intent.ts';
import type { AddonInput } from '../addon.ts';
import { supportedMinors } from '../supported-version.ts';
import { keystoneAuth } from './keystone-auth.ts';
import { keystoneAuthReleases } from './releases.ts';

const access = {
  authUrl: 'https://keystone.example.com:5000/v3',
  region: 'RegionOne',
  applicationCredentialId: 'c0ffee',
  applicationCredentialSecret: 'very-secret_1',
  verify: true,
  caCertificate: '',
};

interface Changes {
  readonly labels?: Readonly<Record<string, string>>;
  readonly access?: Partial<AddonInput['access']>;
  readonly keystonePolicy?: string;
}

function built(changes: Changes = {}) {
  const outcome = toClusterIntent(sampleSnapshot({ labels: changes.labels ?? {} }));
  if (!('intent' in outcome)) throw new Error(JSON.stringify(outcome.faults));
  return keystoneAuth({
    intent: outcome.intent,
    access: { ...access, ...changes.access },
    services: { volumeTypes: null, defaultVolumeType: null, shareTypes: null },
    keystonePolicy: changes.keystonePolicy ?? '',
    image: ({ repository, tag }) => `${repository}:${tag}`,
  });
}

function find<T>(kind: string, name: string, from = built()): T {
  const found = from.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (found === undefined) throw new Error(`There is no ${kind} ${name}.`);
  return found as T;
}

function podOf(changes?: Changes) {
  return find<V1DaemonSet>('DaemonSet', 'k8s-keystone-auth', built(changes)).spec!.template.spec!;
}

const pod = podOf();
const container = pod.containers[0]!;

test('brings these objects, all that have a namespace in kube-system', () => {
  expect(built().map(({ kind, metadata }) => [kind, metadata.namespace ?? null, metadata.name])).toEqual([
    ['ServiceAccount', 'kube-system', 'k8s-keystone-auth'],
    ['ClusterRole', null, 'system:k8s-keystone-auth'],
    ['ClusterRoleBinding', null, 'system:k8s-keystone-auth'],
    ['ConfigMap', 'kube-system', 'k8s-keystone-auth-policy'],
    ['ConfigMap', 'kube-system', 'k8s-keystone-auth-sync'],
    ['Service', 'kube-system', 'k8s-keystone-auth'],
    ['DaemonSet', 'kube-system', 'k8s-keystone-auth'],
  ]);
});

/** Chart k8s-keystone-auth 0.1.0 of magnum-cluster-api 0.38.1, with its values (original-facts §5.6). */
describe('as the original has it', () => {
  const { selector, template } = find<V1DaemonSet>('DaemonSet', 'k8s-keystone-auth').spec!;
  const labels = { 'app.kubernetes.io/name': 'k8s-keystone-auth', 'app.kubernetes.io/instance': 'k8s-keystone-auth' };

  test.each([
    ['the selector, which is immutable', selector, { matchLabels: labels }],
    ['the labels of its pods', template.metadata?.labels, labels],
    ['the network of the node', pod.hostNetwork, true],
    ['the nodes', pod.nodeSelector, { 'node-role.kubernetes.io/master': '' }],
    ['the account', pod.serviceAccountName, 'k8s-keystone-auth'],
    ['the name of the container', container.name, 'k8s-keystone-auth'],
    ['the port', container.ports, [{ name: 'https', containerPort: 8443, hostPort: 8443, protocol: 'TCP' }]],
    ['resources: none', container.resources, undefined],
    ['environment: none', container.env, undefined],
  ])('%s', (_what, actual, expected) => {
    expect(actual).toEqual(expected);
  });

  test('its arguments, that of the program with its whole path', () => {
    expect(container.args).toEqual([
      '/bin/k8s-keystone-auth',
      '--tls-cert-file=/etc/kubernetes/pki/apiserver.crt',
      '--tls-private-key-file=/etc/kubernetes/pki/apiserver.key',
      '--policy-configmap-name=k8s-keystone-auth-policy',
      '--keystone-url=https://keystone.example.com:5000/v3',
      '--sync-configmap-name=k8s-keystone-auth-sync',
      '--listen=127.0.0.1:8443',
    ]);
  });

  test('its Service', () => {
    expect(find<V1Service>('Service', 'k8s-keystone-auth').spec).toEqual({
      type: 'ClusterIP',
      selector: labels,
      ports: [{ name: 'https', port: 8443, targetPort: 8443, protocol: 'TCP' }],
    });
  });

  test('the role of Keystone that stands for no group', () => {
    const { data } = find<V1ConfigMap>('ConfigMap', 'k8s-keystone-auth-sync');
    expect(load(data!['syncConfig']!)).toEqual({ 'role-mappings': [{ 'keystone-role': 'member', groups: [] }] });
  });

  test("the operator's policy", () => {
    const keystonePolicy = '[{"users": {"projects": ["$PROJECT_ID"]}, "resource_permissions": {"*/*": ["*"]}}]';
    const { data } = find<V1ConfigMap>('ConfigMap', 'k8s-keystone-auth-policy', built({ keystonePolicy }));
    expect(JSON.parse(data!['policies']!)).toEqual([
      { users: { projects: ['be2ec97724bd4f14bd0bcf2458dff078'] }, resource_permissions: { '*/*': ['*'] } },
    ]);
  });

  test.each(['', '{"no": "policy"}'])('a policy of its own where the file is %j', (keystonePolicy) => {
    const { data } = find<V1ConfigMap>('ConfigMap', 'k8s-keystone-auth-policy', built({ keystonePolicy }));
    expect(JSON.parse(data!['policies']!)).toMatchObject([{ resource: { verbs: ['list'], namespace: 'default' } }]);
  });
});

describe('the rights', () => {
  /** Upstream's own (examples/webhook/keystone-rbac.yaml, v1.36.0): the program asks for nothing else. */
  test('are those of upstream, without the pods and services that the original adds', () => {
    expect(find<V1ClusterRole>('ClusterRole', 'system:k8s-keystone-auth').rules).toEqual([
      { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] },
    ]);
  });

  test('are bound to the account', () => {
    expect(find<V1ClusterRoleBinding>('ClusterRoleBinding', 'system:k8s-keystone-auth')).toMatchObject({
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:k8s-keystone-auth' },
      subjects: [{ kind: 'ServiceAccount', name: 'k8s-keystone-auth', namespace: 'kube-system' }],
    });
  });
});

describe('other than the original', () => {
  test('a pod sees the certificate of the API server without the keys of the authorities beside it', () => {
    expect(pod.volumes).toEqual([
      { name: 'apiserver-crt', hostPath: { path: '/etc/kubernetes/pki/apiserver.crt', type: 'File' } },
      { name: 'apiserver-key', hostPath: { path: '/etc/kubernetes/pki/apiserver.key', type: 'File' } },
    ]);
    expect(container.volumeMounts).toEqual([
      { name: 'apiserver-crt', mountPath: '/etc/kubernetes/pki/apiserver.crt', readOnly: true },
      { name: 'apiserver-key', mountPath: '/etc/kubernetes/pki/apiserver.key', readOnly: true },
    ]);
  });

  test('an authority comes from the Secret that all integrations read, without the credential beside it', () => {
    const { containers, volumes } = podOf({ access: { caCertificate: 'PEM' } });
    expect(volumes?.slice(2)).toEqual([
      { name: 'cloud-ca', secret: { secretName: 'cloud-config', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    ]);
    expect(containers[0]?.volumeMounts?.slice(2)).toEqual([
      { name: 'cloud-ca', mountPath: '/etc/config', readOnly: true },
    ]);
    expect(containers[0]?.args).toContain('--keystone-ca-file=/etc/config/ca.crt');
  });

  test('certificates are always checked: upstream has no option against it', () => {
    expect(podOf({ access: { verify: false } })).toEqual(pod);
  });

  test('it tolerates CriticalAddonsOnly by its effects', () => {
    expect(pod.tolerations).toEqual([
      { effect: 'NoSchedule', operator: 'Exists' },
      { effect: 'NoExecute', operator: 'Exists' },
    ]);
  });

  test('a pod is not evicted from the only node where it can run', () => {
    expect(pod.priorityClassName).toBe('system-node-critical');
  });

  test('it is root, whose file the key is, and may do nothing else', () => {
    expect(pod.securityContext).toEqual({ seccompProfile: { type: 'RuntimeDefault' } });
    expect(container.securityContext).toEqual({
      runAsUser: 0,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    });
  });

  test('one node after the other: a pod counts as soon as it listens', () => {
    expect(container.startupProbe).toEqual({
      tcpSocket: { host: '127.0.0.1', port: 8443 },
      periodSeconds: 5,
      failureThreshold: 24,
    });
    expect([container.livenessProbe, container.readinessProbe]).toEqual([undefined, undefined]);
  });
});

describe("Keystone's URL", () => {
  test.each([
    ['https://k:5000', 'https://k:5000/v3'],
    ['https://k:5000/', 'https://k:5000/v3'],
    ['https://k:5000/v3', 'https://k:5000/v3'],
    ['https://k:5000/v3/', 'https://k:5000/v3'],
    ['https://k/identity', 'https://k/identity/v3'],
    ['https://k/identity/v2.0', 'https://k/identity/v3'],
  ])('%s is given as %s: with a version, it is not asked for when the pod starts', (authUrl, url) => {
    expect(podOf({ access: { authUrl } }).containers[0]?.args).toContain(`--keystone-url=${url}`);
  });
});

describe('the release', () => {
  test.each([
    ['v1.30.14', 'v1.30.3'],
    ['v1.31.9', 'v1.31.4'],
    ['v1.32.5', 'v1.32.1'],
    ['v1.33.4', 'v1.33.1'],
    ['v1.34.8', 'v1.34.1'],
    ['v1.35.5', 'v1.35.0'],
    ['v1.36.1', 'v1.36.0'],
  ])('for %s is %s, whatever tag the cloud controller manager has', (version, tag) => {
    const labels = { kube_tag: version, cloud_provider_tag: 'v1.32.0-ours' };
    const image = `registry.k8s.io/provider-os/k8s-keystone-auth:${tag}`;
    expect(podOf({ labels }).containers[0]?.image).toBe(image);
  });

  test('exists for every supported minor', () => {
    const { oldest, newest } = supportedMinors;
    const minors = Array.from({ length: newest - oldest + 1 }, (_, index) => `Kubernetes 1.${oldest + index}`);
    expect(keystoneAuthReleases.map(({ usedFor }) => usedFor)).toEqual(expect.arrayContaining(minors));
  });
});
