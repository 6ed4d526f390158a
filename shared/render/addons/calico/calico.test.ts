import { expect, test } from 'vitest';
import { exampleIntent } from '../../../../test/render/example-intent.ts';
import { cniReleases } from '../../../magnum/syntax/cni-release.ts';
import type { AddonInput } from '../addon.ts';
import { addonInput, imagesFrom } from '../testing/addon-input.ts';
import { identities } from '../testing/manifests.ts';
import { calico } from './calico.ts';
import { calicoConfig } from './calico-config.ts';
import { kubeControllers } from './kube-controllers.ts';
import { calicoLine, calicoLines, calicoReleases } from './releases.ts';

// Facts: projectcalico/calico, manifests/calico.yaml of v3.31.7 and v3.32.1.

function input(tag: string, prefix: string | null = null): AddonInput {
  return addonInput({ intent: exampleIntent({ cni: { kind: 'calico', tag } }), image: imagesFrom(prefix) });
}

const common = [
  'ClusterRole calico-cni-plugin',
  'ClusterRole calico-kube-controllers',
  'ClusterRole calico-node',
  'ClusterRole calico-tier-getter',
  'ClusterRoleBinding calico-cni-plugin',
  'ClusterRoleBinding calico-kube-controllers',
  'ClusterRoleBinding calico-node',
  'ClusterRoleBinding calico-tier-getter',
  'ConfigMap kube-system/calico-config',
  'DaemonSet kube-system/calico-node',
  'Deployment kube-system/calico-kube-controllers',
  'PodDisruptionBudget kube-system/calico-kube-controllers',
  'ServiceAccount kube-system/calico-cni-plugin',
  'ServiceAccount kube-system/calico-kube-controllers',
  'ServiceAccount kube-system/calico-node',
];

test.each([
  ['v3.31.5', 24],
  ['v3.32.1', 23],
])('%s has the objects of upstream’s manifest, %i definitions among them', (tag, definitions) => {
  const manifests = calico(input(tag));
  const names = identities(manifests.filter(({ kind }) => kind !== 'CustomResourceDefinition'));
  expect(names.toSorted()).toEqual(common);
  expect(manifests).toHaveLength(common.length + definitions);
});

test.each([
  ['v3.32.1', null, 'quay.io/calico'],
  ['v3.31.2', 'registry.example.org/magnum', 'registry.example.org/magnum/calico'],
])('all images have the tag of the label, %s, under prefix %s', (tag, prefix, expected) => {
  const references = JSON.stringify(calico(input(tag, prefix))).match(/(?<="image":")[^"]+/g) ?? [];
  const [node, cni] = [`${expected}/node:${tag}`, `${expected}/cni:${tag}`];
  expect(references).toEqual([cni, cni, node, node, `${expected}/kube-controllers:${tag}`]);
});

test('the same input gives the same bytes', () => {
  expect(JSON.stringify(calico(input('v3.32.1')))).toBe(JSON.stringify(calico(input('v3.32.1'))));
});

test('the manifests are small enough for a Secret that is written often', () => {
  expect(JSON.stringify(calico(input('v3.32.1'))).length).toBeLessThan(100_000);
});

test('the lines are those that the label takes, and the default tag is one whose manifest was read', () => {
  expect(calicoLines).toEqual(cniReleases.calico.lines);
  expect(calicoReleases.map(({ version }) => version)).toContain(cniReleases.calico.defaultTag);
});

test('the catalogue names the images of each line', () => {
  expect(calicoReleases.map(({ usedFor, images }) => [usedFor, images.map(({ tag }) => tag)])).toEqual([
    ['calico_tag v3.31.x', ['v3.31.7', 'v3.31.7', 'v3.31.7']],
    ['calico_tag v3.32.x', ['v3.32.1', 'v3.32.1', 'v3.32.1']],
  ]);
});

test.each(['v3.3.1', 'v3.33.0', '3.32.1', 'toString.1'])('%s is of no line', (tag) => {
  expect(() => calicoLine(tag)).toThrow(RangeError);
});

test.each([
  ['v3.31', '10.100.0.0/16', '1.0.0', {}],
  ['v3.32', '10.100.0.0/16', '0.3.1', {}],
  ['v3.32', 'fd00:100::/56', '0.3.1', { assign_ipv4: 'false', assign_ipv6: 'true' }],
] as const)('the network configuration of %s for %s', (line, podCidr, cniVersion, ipam) => {
  const config = calicoConfig(line, podCidr);
  const data = 'data' in config ? config.data : {};
  expect(data).toMatchObject({ typha_service_name: 'none', calico_backend: 'bird', veth_mtu: '0' });
  const { cni_network_config: text = '' } = data as Record<string, string>;
  expect(text).toContain('"mtu": __CNI_MTU__,');
  expect(JSON.parse(text.replace('__CNI_MTU__', '1450'))).toEqual({
    name: 'k8s-pod-network',
    cniVersion,
    plugins: [
      {
        type: 'calico',
        log_level: 'info',
        log_file_path: '/var/log/calico/cni/cni.log',
        datastore_type: 'kubernetes',
        nodename: '__KUBERNETES_NODE_NAME__',
        mtu: 1450,
        ipam: { type: 'calico-ipam', ...ipam },
        policy: { type: 'k8s' },
        kubernetes: { kubeconfig: '__KUBECONFIG_FILEPATH__' },
      },
      { type: 'portmap', snat: true, capabilities: { portMappings: true } },
    ],
  });
});

test('the controllers run once, on a node of any kind, and a drain may end them', () => {
  const selector = { matchLabels: { 'k8s-app': 'calico-kube-controllers' } };
  const [budget, workload] = kubeControllers('controllers:1');
  expect(budget).toMatchObject({ apiVersion: 'policy/v1', spec: { maxUnavailable: 1, selector } });
  expect(workload).toMatchObject({ spec: { replicas: 1, selector, strategy: { type: 'Recreate' } } });
  const check = (flag: string) => ({ exec: { command: ['/usr/bin/check-status', flag] }, periodSeconds: 10 });
  expect(workload).toHaveProperty('spec.template.spec', {
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    tolerations: [
      { key: 'CriticalAddonsOnly', operator: 'Exists' },
      { key: 'node-role.kubernetes.io/master', effect: 'NoSchedule' },
      { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' },
    ],
    serviceAccountName: 'calico-kube-controllers',
    securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
    priorityClassName: 'system-cluster-critical',
    containers: [
      {
        name: 'calico-kube-controllers',
        image: 'controllers:1',
        imagePullPolicy: 'IfNotPresent',
        env: [
          { name: 'ENABLED_CONTROLLERS', value: 'node,loadbalancer' },
          { name: 'DATASTORE_TYPE', value: 'kubernetes' },
        ],
        livenessProbe: { ...check('-l'), initialDelaySeconds: 10, failureThreshold: 6, timeoutSeconds: 10 },
        readinessProbe: check('-r'),
        securityContext: { runAsNonRoot: true },
      },
    ],
  });
});
