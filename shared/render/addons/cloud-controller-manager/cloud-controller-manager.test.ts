import type { V1ClusterRole, V1ClusterRoleBinding, V1DaemonSet } from '@kubernetes/client-node';
import { describe, expect, test } from 'vitest';
import type { OperatingSystem } from '../../../magnum/cluster-intent.ts';
import { sampleSnapshot } from '../../../magnum/sample-snapshots.ts';
import { toClusterIntent } from '../../../magnum/to-cluster-intent.ts';
import type { AddonInput } from '../addon.ts';
import { supportedMinors } from '../supported-version.ts';
import { cloudControllerManager } from './cloud-controller-manager.ts';
import { cloudControllerManagerReleases, cloudProviderTag } from './releases.ts';

const access = {
  authUrl: 'https://keystone.example.com:5000/v3',
  region: 'RegionOne',
  applicationCredentialId: 'c0ffee',
  applicationCredentialSecret: 'very-secret_1',
  verify: true,
  caCertificate: 'PEM',
};

function input(labels: Readonly<Record<string, string>> = {}, distribution: OperatingSystem = 'ubuntu'): AddonInput {
  const outcome = toClusterIntent(sampleSnapshot({ labels, template: { cluster_distro: distribution } }));
  if (!('intent' in outcome)) throw new Error(JSON.stringify(outcome.faults));
  return {
    intent: outcome.intent,
    access,
    services: { volumeTypes: null, defaultVolumeType: null, shareTypes: null },
    keystonePolicy: '',
    image: ({ repository, tag }) => `${repository}:${tag}`,
  };
}

const manifests = cloudControllerManager(input());

function find<T>(kind: string, name: string, from = manifests): T {
  const found = from.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (found === undefined) throw new Error(`There is no ${kind} ${name}.`);
  return found as T;
}

function podOf(...changes: Parameters<typeof input>) {
  const manifest = find<V1DaemonSet>(
    'DaemonSet',
    'openstack-cloud-controller-manager',
    cloudControllerManager(input(...changes)),
  );
  return manifest.spec!.template.spec!;
}

const pod = podOf();
const container = pod.containers[0]!;

test('brings these objects, all that have a namespace in kube-system', () => {
  expect(manifests.map(({ kind, metadata }) => [kind, metadata.namespace ?? null, metadata.name])).toEqual([
    ['Secret', 'kube-system', 'cloud-config'],
    ['ServiceAccount', 'kube-system', 'cloud-controller-manager'],
    ['ClusterRole', null, 'system:cloud-controller-manager'],
    ['ClusterRoleBinding', null, 'system:cloud-controller-manager'],
    ['ClusterRole', null, 'system:cloud-node-controller'],
    ['ClusterRoleBinding', null, 'system:cloud-node-controller'],
    ['DaemonSet', 'kube-system', 'openstack-cloud-controller-manager'],
  ]);
});

test('its Secret has what pods read: cloud.conf, and the authority even where there is none', () => {
  const dataOf = (from = manifests) => find<{ data: Record<string, string> }>('Secret', 'cloud-config', from).data;
  const text = Buffer.from(dataOf()['cloud.conf']!, 'base64').toString();
  expect(text).toContain('\napplication-credential-id=c0ffee\n');
  expect(text).toContain('\nlb-provider=amphorav2\n');
  expect(Buffer.from(dataOf()['ca.crt']!, 'base64').toString()).toBe('PEM');
  const without = cloudControllerManager({ ...input(), access: { ...access, caCertificate: '' } });
  expect(dataOf(without)['ca.crt']).toBe('');
});

/** Chart openstack-cloud-controller-manager 2.35.0 (tag v1.35.0 of cloud-provider-openstack), with the values of original-facts §5.5. */
describe('as the chart has it', () => {
  const spec = find<V1DaemonSet>('DaemonSet', 'openstack-cloud-controller-manager').spec!;
  const labels = {
    component: 'controllermanager',
    app: 'openstack-cloud-controller-manager',
    release: 'openstack-ccm',
  };

  test.each([
    ['the selector, which is immutable', spec.selector, { matchLabels: labels }],
    ['the labels of its pods', spec.template.metadata?.labels, labels],
    ['the network of the node', pod.hostNetwork, true],
    ['the nodes', pod.nodeSelector, { 'node-role.kubernetes.io/control-plane': '' }],
    ['the account', pod.serviceAccountName, 'cloud-controller-manager'],
    ['the user', pod.securityContext?.runAsUser, 1001],
    ['the name of the container', container.name, 'openstack-cloud-controller-manager'],
    ['init containers: none', pod.initContainers, undefined],
    ['resources: none', container.resources, undefined],
  ])('%s', (_what, actual, expected) => {
    expect(actual).toEqual(expected);
  });

  test('its arguments', () => {
    expect(container.args).toEqual([
      '/bin/openstack-cloud-controller-manager',
      '--v=2',
      '--cloud-config=/etc/config/cloud.conf',
      '--cluster-name=21d56b0e-dd80-41ec-b63e-d6fad0deca84',
      '--cloud-provider=openstack',
      '--use-service-account-credentials=false',
      '--controllers=cloud-node,cloud-node-lifecycle,route,service',
      '--bind-address=127.0.0.1',
    ]);
  });

  test('its mounts and volumes', () => {
    expect(container.volumeMounts).toEqual([
      { name: 'cloud-config-volume', mountPath: '/etc/config', readOnly: true },
      { name: 'k8s-certs', mountPath: '/etc/kubernetes/pki', readOnly: true },
      { name: 'ca-certs', mountPath: '/etc/ssl/certs', readOnly: true },
    ]);
    expect(pod.volumes).toEqual([
      { name: 'cloud-config-volume', secret: { secretName: 'cloud-config' } },
      { name: 'k8s-certs', hostPath: { path: '/etc/kubernetes/pki', type: 'Directory' } },
      { name: 'ca-certs', hostPath: { path: '/etc/ssl/certs', type: 'DirectoryOrCreate' } },
    ]);
  });

  test('its tolerations are among ours', () => {
    expect(pod.tolerations).toEqual(
      expect.arrayContaining([
        { key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' },
        { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' },
      ]),
    );
  });
});

describe('other than the chart', () => {
  test('the arguments have their values, not environment variables: nothing else reads CLOUD_CONFIG and CLUSTER_NAME', () => {
    expect(container.env).toBeUndefined();
  });

  test('a pod does not wait for the network of the pods, which a node has to have to be ready', () => {
    expect(pod.tolerations).toHaveLength(3);
    expect(pod.tolerations?.[2]).toEqual({
      key: 'node.kubernetes.io/not-ready',
      effect: 'NoSchedule',
      operator: 'Exists',
    });
  });

  test('a pod is not evicted from the only node where it can run', () => {
    expect(pod.priorityClassName).toBe('system-node-critical');
  });

  test('a pod has the security context that the chart suggests', () => {
    expect(pod.securityContext).toEqual({
      runAsNonRoot: true,
      runAsUser: 1001,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    });
  });

  test('a pod that hangs starts again; the path needs no right (k8s.io/apiserver: always allowed)', () => {
    expect(container.livenessProbe).toEqual({
      httpGet: { host: '127.0.0.1', path: '/healthz', port: 10258, scheme: 'HTTPS' },
      initialDelaySeconds: 30,
      timeoutSeconds: 15,
      failureThreshold: 8,
    });
  });

  test.each([
    ['rockylinux', '/etc/pki/ca-trust'],
    ['flatcar', '/usr/share/ca-certificates'],
  ] as const)('on %s there is also %s, where the links of /etc/ssl/certs lead', (distribution, path) => {
    const { containers, volumes } = podOf({}, distribution);
    expect(containers[0]?.volumeMounts).toHaveLength(4);
    expect(containers[0]?.volumeMounts?.[3]).toEqual({ name: 'linked-ca-certs', mountPath: path, readOnly: true });
    expect(volumes?.[3]).toEqual({ name: 'linked-ca-certs', hostPath: { path, type: 'Directory' } });
  });

  test.each(['ubuntu', 'debian'] as const)('on %s the authorities stand in one file', (distribution) => {
    expect(podOf({}, distribution)).toEqual(pod);
  });
});

/** cloud-controller-manager-roles.yaml and …-role-bindings.yaml of manifests/controller-manager: alike from v1.24.6 to v1.36.0. */
describe('the rights', () => {
  function rightsOf(name: string): readonly string[] {
    const rules = find<V1ClusterRole>('ClusterRole', name).rules ?? [];
    return rules
      .flatMap(({ apiGroups, resources, verbs }) =>
        (resources ?? []).flatMap((one) => verbs.map((verb) => [...(apiGroups ?? []), one, verb].join(' ').trim())),
      )
      .sort();
  }

  test('of the manager', () => {
    expect(rightsOf('system:cloud-controller-manager')).toEqual(
      [
        'configmaps get',
        'configmaps list',
        'configmaps watch',
        'coordination.k8s.io leases create',
        'coordination.k8s.io leases get',
        'coordination.k8s.io leases update',
        'endpoints create',
        'endpoints get',
        'endpoints list',
        'endpoints update',
        'endpoints watch',
        'events create',
        'events patch',
        'events update',
        'nodes *',
        'nodes/status patch',
        'persistentvolumes *',
        'secrets get',
        'secrets list',
        'secrets watch',
        'serviceaccounts create',
        'serviceaccounts get',
        'serviceaccounts/token create',
        'services list',
        'services patch',
        'services update',
        'services watch',
        'services/status patch',
      ].sort(),
    );
  });

  test('of its node controller, under credentials of its own', () => {
    expect(rightsOf('system:cloud-node-controller')).toEqual(
      ['events create', 'events patch', 'events update', 'nodes *', 'nodes/status patch'].sort(),
    );
  });

  test.each(['cloud-controller-manager', 'cloud-node-controller'])('are bound to the account %s', (account) => {
    const name = `system:${account}`;
    expect(find<V1ClusterRoleBinding>('ClusterRoleBinding', name)).toMatchObject({
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', name: account, namespace: 'kube-system' }],
    });
  });
});

describe('the release', () => {
  /** The newest patch releases of cloud-provider-openstack; those that registry.k8s.io has. */
  test.each([
    ['v1.22.9', 'v1.24.6'],
    ['v1.24.1', 'v1.24.6'],
    ['v1.25.3', 'v1.25.6'],
    ['v1.26.15', 'v1.26.4'],
    ['v1.27.4', 'v1.27.3'],
    ['v1.28.0', 'v1.28.3'],
    ['v1.29.2', 'v1.29.1'],
    ['v1.30.14', 'v1.30.3'],
    ['v1.31.9', 'v1.31.4'],
    ['v1.32.5', 'v1.32.1'],
    ['v1.33.4', 'v1.33.1'],
    ['v1.34.8', 'v1.34.1'],
    ['v1.35.5', 'v1.35.0'],
    ['v1.36.1', 'v1.36.0'],
    ['v1.37.0', 'v1.36.0'],
  ])('for %s is %s', (version, tag) => {
    expect(cloudProviderTag(version)).toBe(tag);
  });

  test('is the one of the label, where it is set', () => {
    const repository = 'registry.k8s.io/provider-os/openstack-cloud-controller-manager';
    expect(container.image).toBe(`${repository}:v1.33.1`);
    expect(podOf({ cloud_provider_tag: 'v1.32.0' }).containers[0]?.image).toBe(`${repository}:v1.32.0`);
  });

  test('exists for every supported minor', () => {
    const { oldest, newest } = supportedMinors;
    const minors = Array.from({ length: newest - oldest + 1 }, (_, index) => `Kubernetes 1.${oldest + index}`);
    expect(cloudControllerManagerReleases.map(({ usedFor }) => usedFor)).toEqual(expect.arrayContaining(minors));
    for (const { usedFor, version, images } of cloudControllerManagerReleases) {
      expect(version.startsWith(usedFor.replace('Kubernetes ', 'v'))).toBe(true);
      expect(images).toEqual([expect.objectContaining({ tag: version })]);
    }
  });
});
