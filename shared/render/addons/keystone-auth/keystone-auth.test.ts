import type { V1ConfigMap, V1PodSpec, V1Service } from '@kubernetes/client-node';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import type { Manifest } from '../manifest.ts';
import { addonInput } from '../testing/addon-input.ts';
import { cloudProviderTags } from '../testing/cloud-provider-tags.ts';
import { intentOf } from '../testing/intent-of.ts';
import { linesIn } from '../testing/lines-in.ts';
import { find, identities } from '../testing/manifests.ts';
import { rulesIn, rulesOf } from '../testing/rules-of.ts';
import { supportedReleases } from '../testing/supported-releases.ts';
import { podOf, selecting, workloadFacts } from '../testing/workloads.ts';
import { keystoneAuth } from './keystone-auth.ts';
import { keystoneAuthReleases } from './releases.ts';

const name = 'k8s-keystone-auth';

type Changes = Omit<NonNullable<Parameters<typeof addonInput>[0]>, 'intent'> & {
  readonly labels?: Readonly<Record<string, string>>;
};

function built({ labels = {}, ...changes }: Changes = {}): readonly Manifest[] {
  return keystoneAuth(addonInput({ intent: intentOf({ labels }), ...changes }));
}

function podFor(changes: Changes): V1PodSpec {
  return podOf(built(changes), 'DaemonSet', name);
}

const manifests = built();
const pod = podFor({});
const container = pod.containers[0]!;

test('brings these objects, all that have a namespace in kube-system', () => {
  expect(identities(manifests)).toEqual(
    linesIn(`
      ServiceAccount kube-system/k8s-keystone-auth
      ClusterRole system:k8s-keystone-auth
      ClusterRoleBinding system:k8s-keystone-auth
      ConfigMap kube-system/k8s-keystone-auth-policy
      ConfigMap kube-system/k8s-keystone-auth-sync
      Service kube-system/k8s-keystone-auth
      DaemonSet kube-system/k8s-keystone-auth
    `),
  );
});

/** Chart k8s-keystone-auth 0.1.0 of magnum-cluster-api 0.38.1, with its values (original-facts §5.6). */
describe('as the original has it', () => {
  const labels = { 'app.kubernetes.io/name': name, 'app.kubernetes.io/instance': name };

  test('where and as whom it runs, by a selector that is immutable', () => {
    const { pod: facts, ...workload } = workloadFacts(manifests, 'DaemonSet', name);
    const { tolerations, priorityClassName, securityContext, ...rest } = facts;
    const nodeSelector = { 'node-role.kubernetes.io/master': '' };
    expect(rest).toEqual({ serviceAccountName: name, hostNetwork: true, nodeSelector });
    expect(workload).toEqual(selecting(labels));
  });

  test('one container, with its port, without variables and resources', () => {
    expect(pod.containers.map((one) => [one.name, one.env, one.resources])).toEqual([[name, undefined, undefined]]);
    expect(container.ports).toEqual([{ name: 'https', containerPort: 8443, hostPort: 8443, protocol: 'TCP' }]);
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
    expect(find<V1Service>(manifests, 'Service', 'k8s-keystone-auth').spec).toEqual({
      type: 'ClusterIP',
      selector: labels,
      ports: [{ name: 'https', port: 8443, targetPort: 8443, protocol: 'TCP' }],
    });
  });

  test('the role of Keystone that stands for no group', () => {
    const { data } = find<V1ConfigMap>(manifests, 'ConfigMap', 'k8s-keystone-auth-sync');
    expect(load(data!['syncConfig']!)).toEqual({ 'role-mappings': [{ 'keystone-role': 'member', groups: [] }] });
  });

  test("the operator's policy", () => {
    const keystonePolicy = '[{"users": {"projects": ["$PROJECT_ID"]}, "resource_permissions": {"*/*": ["*"]}}]';
    const { data } = find<V1ConfigMap>(built({ keystonePolicy }), 'ConfigMap', 'k8s-keystone-auth-policy');
    expect(JSON.parse(data!['policies']!)).toEqual([
      { users: { projects: ['be2ec97724bd4f14bd0bcf2458dff078'] }, resource_permissions: { '*/*': ['*'] } },
    ]);
  });

  test.each(['', '{"no": "policy"}'])('a policy of its own where the file is %j', (keystonePolicy) => {
    const { data } = find<V1ConfigMap>(built({ keystonePolicy }), 'ConfigMap', 'k8s-keystone-auth-policy');
    expect(JSON.parse(data!['policies']!)).toMatchObject([{ resource: { verbs: ['list'], namespace: 'default' } }]);
  });
});

describe('the rights', () => {
  /** Upstream's own (examples/webhook/keystone-rbac.yaml, v1.36.0): the program asks for nothing else. */
  test('are those of upstream, without the pods and services that the original adds', () => {
    expect(rulesOf(manifests, name)).toEqual(rulesIn('/configmaps: get list watch'));
  });

  test('are bound to the account', () => {
    expect(find(manifests, 'ClusterRoleBinding', 'system:k8s-keystone-auth')).toMatchObject({
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
    const { containers, volumes } = podFor({ access: { caCertificate: 'PEM' } });
    expect(volumes?.slice(2)).toEqual([
      { name: 'cloud-ca', secret: { secretName: 'cloud-config', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    ]);
    expect(containers[0]?.volumeMounts?.slice(2)).toEqual([
      { name: 'cloud-ca', mountPath: '/etc/config', readOnly: true },
    ]);
    expect(containers[0]?.args).toContain('--keystone-ca-file=/etc/config/ca.crt');
  });

  test('certificates are always checked: upstream has no option against it', () => {
    expect(podFor({ access: { verify: false } })).toEqual(pod);
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
    expect(podFor({ access: { authUrl } }).containers[0]?.args).toContain(`--keystone-url=${url}`);
  });
});

describe('the release', () => {
  test.each(cloudProviderTags)('for %s is %s, whatever tag the cloud controller manager has', (version, tag) => {
    const labels = { kube_tag: version, cloud_provider_tag: 'v1.32.0-ours' };
    const image = `registry.k8s.io/provider-os/k8s-keystone-auth:${tag}`;
    expect(podFor({ labels }).containers[0]?.image).toBe(image);
  });

  test('exists for every supported minor', () => {
    expect(keystoneAuthReleases.map(({ usedFor }) => usedFor)).toEqual(expect.arrayContaining([...supportedReleases]));
  });
});
