import type { V1PodSpec } from '@kubernetes/client-node';
import { describe, expect, test } from 'vitest';
import type { OperatingSystem } from '../../../magnum/cluster-intent.ts';
import type { AddonInput } from '../addon.ts';
import { addonInput } from '../testing/addon-input.ts';
import { cloudProviderTags } from '../testing/cloud-provider-tags.ts';
import { intentOf } from '../testing/intent-of.ts';
import { linesIn } from '../testing/lines-in.ts';
import { find, identities } from '../testing/manifests.ts';
import { rulesIn, rulesOfRole } from '../testing/rules-of.ts';
import { supportedReleases } from '../testing/supported-releases.ts';
import { podOf, selecting, workloadFacts } from '../testing/workloads.ts';
import { cloudControllerManager } from './cloud-controller-manager.ts';
import { cloudControllerManagerReleases, cloudProviderTag } from './releases.ts';

const name = 'openstack-cloud-controller-manager';

function input(labels: Readonly<Record<string, string>> = {}, distribution: OperatingSystem = 'ubuntu'): AddonInput {
  const intent = intentOf({ labels, template: { cluster_distro: distribution } });
  return addonInput({ intent, access: { caCertificate: 'PEM' } });
}

function podFor(...changes: Parameters<typeof input>): V1PodSpec {
  return podOf(cloudControllerManager(input(...changes)), 'DaemonSet', name);
}

const manifests = cloudControllerManager(input());
const pod = podFor();
const container = pod.containers[0]!;

test('brings these objects, all that have a namespace in kube-system', () => {
  expect(identities(manifests)).toEqual(
    linesIn(`
      Secret kube-system/cloud-config
      ServiceAccount kube-system/cloud-controller-manager
      ClusterRole system:cloud-controller-manager
      ClusterRoleBinding system:cloud-controller-manager
      ClusterRole system:cloud-node-controller
      ClusterRoleBinding system:cloud-node-controller
      DaemonSet kube-system/${name}
    `),
  );
});

test('its Secret has what pods read: cloud.conf, and the authority even where there is none', () => {
  const dataOf = (from = manifests) => find<{ data: Record<string, string> }>(from, 'Secret', 'cloud-config').data;
  const text = Buffer.from(dataOf()['cloud.conf']!, 'base64').toString();
  expect(text).toContain('\napplication-credential-id=c0ffee\n');
  expect(text).toContain('\nlb-provider=amphorav2\n');
  expect(Buffer.from(dataOf()['ca.crt']!, 'base64').toString()).toBe('PEM');
  const without = cloudControllerManager(addonInput());
  expect(dataOf(without)['ca.crt']).toBe('');
});

/** Chart openstack-cloud-controller-manager 2.35.0 (tag v1.35.0 of cloud-provider-openstack), with the values of original-facts §5.5. */
describe('as the chart has it', () => {
  const labels = { component: 'controllermanager', app: name, release: 'openstack-ccm' };

  test('where and as whom it runs, by a selector that is immutable', () => {
    const { pod: facts, ...workload } = workloadFacts(manifests, 'DaemonSet', name);
    const { tolerations, priorityClassName, securityContext, ...rest } = facts;
    expect(workload).toEqual(selecting(labels));
    expect(rest).toEqual({
      hostNetwork: true,
      nodeSelector: { 'node-role.kubernetes.io/control-plane': '' },
      serviceAccountName: 'cloud-controller-manager',
    });
    expect(securityContext?.runAsUser).toBe(1001);
  });

  test('one container, which asks for no resources', () => {
    expect(pod.containers.map(({ name: one, resources }) => [one, resources])).toEqual([[name, undefined]]);
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
    const { containers, volumes } = podFor({}, distribution);
    expect(containers[0]?.volumeMounts).toHaveLength(4);
    expect(containers[0]?.volumeMounts?.[3]).toEqual({ name: 'linked-ca-certs', mountPath: path, readOnly: true });
    expect(volumes?.[3]).toEqual({ name: 'linked-ca-certs', hostPath: { path, type: 'Directory' } });
  });

  test.each(['ubuntu', 'debian'] as const)('on %s the authorities stand in one file', (distribution) => {
    expect(podFor({}, distribution)).toEqual(pod);
  });
});

/** cloud-controller-manager-roles.yaml and …-role-bindings.yaml of manifests/controller-manager: alike from v1.24.6 to v1.36.0. */
describe('the rights', () => {
  test('of the manager', () => {
    expect(rulesOfRole(manifests, 'ClusterRole', 'system:cloud-controller-manager')).toEqual(
      rulesIn(`
        /configmaps: get list watch
        coordination.k8s.io/leases: create get update
        /endpoints: create get list update watch
        /events: create patch update
        /nodes: *
        /nodes/status: patch
        /persistentvolumes: *
        /secrets: get list watch
        /serviceaccounts: create get
        /serviceaccounts/token: create
        /services: list patch update watch
        /services/status: patch
      `),
    );
  });

  test('of its node controller, under credentials of its own', () => {
    expect(rulesOfRole(manifests, 'ClusterRole', 'system:cloud-node-controller')).toEqual(
      rulesIn(`
        /events: create patch update
        /nodes: *
        /nodes/status: patch
      `),
    );
  });

  test.each(['cloud-controller-manager', 'cloud-node-controller'])('are bound to the account %s', (account) => {
    const role = `system:${account}`;
    expect(find(manifests, 'ClusterRoleBinding', role)).toMatchObject({
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
      subjects: [{ kind: 'ServiceAccount', name: account, namespace: 'kube-system' }],
    });
  });
});

describe('the release', () => {
  test.each<readonly [version: string, tag: string]>([
    ['v1.22.9', 'v1.24.6'],
    ['v1.24.1', 'v1.24.6'],
    ['v1.25.3', 'v1.25.6'],
    ['v1.26.15', 'v1.26.4'],
    ['v1.27.4', 'v1.27.3'],
    ['v1.28.0', 'v1.28.3'],
    ['v1.29.2', 'v1.29.1'],
    ...cloudProviderTags,
    ['v1.37.0', 'v1.36.0'],
  ])('for %s is %s', (version, tag) => {
    expect(cloudProviderTag(version)).toBe(tag);
  });

  test('is the one of the label, where it is set', () => {
    const repository = 'registry.k8s.io/provider-os/openstack-cloud-controller-manager';
    expect(container.image).toBe(`${repository}:v1.33.1`);
    expect(podFor({ cloud_provider_tag: 'v1.32.0' }).containers[0]?.image).toBe(`${repository}:v1.32.0`);
  });

  test('exists for every supported minor', () => {
    expect(cloudControllerManagerReleases.map(({ usedFor }) => usedFor)).toEqual(
      expect.arrayContaining([...supportedReleases]),
    );
    for (const { usedFor, version, images } of cloudControllerManagerReleases) {
      expect(version.startsWith(usedFor.replace('Kubernetes ', 'v'))).toBe(true);
      expect(images).toEqual([expect.objectContaining({ tag: version })]);
    }
  });
});
