import type { V1Container, V1DaemonSetSpec } from '@kubernetes/client-node';
import { describe, expect, test } from 'vitest';
import { containersOf, environmentOf, mountsOf } from '../testing/containers.ts';
import { calicoNode } from './node.ts';
import type { CalicoLine } from './releases.ts';

// Facts: projectcalico/calico, manifests/calico.yaml of v3.31.7 and v3.32.1.

const newest = 'v3.32';

function specOf(line: CalicoLine, podCidr = '10.100.0.0/16'): V1DaemonSetSpec {
  const node = calicoNode({ line, podCidr, nodeImage: 'node:1', cniImage: 'cni:1' });
  return (node as unknown as { spec: V1DaemonSetSpec }).spec;
}

function containerOf(name: string, line: CalicoLine = newest, podCidr?: string): V1Container {
  return containersOf(specOf(line, podCidr).template).find((each) => each.name === name)!;
}

test('runs on every Linux node, one at a time is replaced, and selects what upstream selects', () => {
  const { template, ...spec } = specOf(newest);
  expect(spec).toEqual({
    selector: { matchLabels: { 'k8s-app': 'calico-node' } },
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
  });
  expect(template.metadata).toEqual({ labels: { 'k8s-app': 'calico-node' } });
  const { containers, initContainers, volumes, ...pod } = template.spec!;
  expect(pod).toEqual({
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    hostNetwork: true,
    tolerations: [
      { operator: 'Exists', effect: 'NoSchedule' },
      { key: 'CriticalAddonsOnly', operator: 'Exists' },
      { operator: 'Exists', effect: 'NoExecute' },
    ],
    serviceAccountName: 'calico-node',
    securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
    terminationGracePeriodSeconds: 0,
    priorityClassName: 'system-node-critical',
  });
});

test('has these containers in this order, all privileged', () => {
  const { containers, initContainers = [] } = specOf(newest).template.spec!;
  expect(initContainers.map(({ name, image, command }) => [name, image, command?.join(' ')])).toEqual([
    ['upgrade-ipam', 'cni:1', '/opt/cni/bin/calico-ipam -upgrade'],
    ['install-cni', 'cni:1', '/opt/cni/bin/install'],
    ['ebpf-bootstrap', 'node:1', 'calico-node -init -best-effort'],
  ]);
  expect(containers.map(({ name, image, command }) => [name, image, command])).toEqual([
    ['calico-node', 'node:1', undefined],
  ]);
  for (const { securityContext, imagePullPolicy } of [...initContainers, ...containers]) {
    expect({ securityContext, imagePullPolicy }).toEqual({
      securityContext: { privileged: true },
      imagePullPolicy: 'IfNotPresent',
    });
  }
});

const agentEnvironment = {
  DATASTORE_TYPE: 'kubernetes',
  WAIT_FOR_DATASTORE: 'true',
  NODENAME: 'field spec.nodeName',
  CALICO_NETWORKING_BACKEND: 'calico-config calico_backend',
  CLUSTER_TYPE: 'k8s,bgp',
  IP: 'autodetect',
  CALICO_IPV4POOL_IPIP: 'Always',
  CALICO_IPV4POOL_VXLAN: 'Never',
  CALICO_IPV6POOL_VXLAN: 'Never',
  FELIX_IPINIPMTU: 'calico-config veth_mtu',
  FELIX_VXLANMTU: 'calico-config veth_mtu',
  FELIX_WIREGUARDMTU: 'calico-config veth_mtu',
  CALICO_DISABLE_FILE_LOGGING: 'true',
  FELIX_DEFAULTENDPOINTTOHOSTACTION: 'ACCEPT',
  FELIX_IPV6SUPPORT: 'false',
  FELIX_HEALTHENABLED: 'true',
};

describe('the environment', () => {
  const endpoint = [{ configMapRef: { name: 'kubernetes-services-endpoint', optional: true } }];

  test.each<[name: string, variables: object, envFrom: object[] | undefined]>([
    [
      'upgrade-ipam',
      { KUBERNETES_NODE_NAME: 'field spec.nodeName', CALICO_NETWORKING_BACKEND: 'calico-config calico_backend' },
      endpoint,
    ],
    [
      'install-cni',
      {
        CNI_CONF_NAME: '10-calico.conflist',
        CNI_NETWORK_CONFIG: 'calico-config cni_network_config',
        KUBERNETES_NODE_NAME: 'field spec.nodeName',
        CNI_MTU: 'calico-config veth_mtu',
        SLEEP: 'false',
      },
      endpoint,
    ],
    ['ebpf-bootstrap', {}, undefined],
    // Upstream leaves out the pool, and calico-node looks for it in kubeadm's ConfigMap.
    ['calico-node', { ...agentEnvironment, CALICO_IPV4POOL_CIDR: '10.100.0.0/16' }, endpoint],
  ])('of %s', (name, variables, envFrom) => {
    const container = containerOf(name);
    expect(environmentOf(container)).toEqual(variables);
    expect(container.envFrom).toEqual(envFrom);
  });

  test('of calico-node for IPv6 is what upstream’s guide asks for, with VXLAN and NAT', () => {
    expect(environmentOf(containerOf('calico-node', newest, 'fd00:100::/56'))).toEqual({
      ...agentEnvironment,
      IP: 'none',
      IP6: 'autodetect',
      CALICO_ROUTER_ID: 'hash',
      CALICO_IPV4POOL_IPIP: 'Never',
      CALICO_IPV4POOL_NAT_OUTGOING: 'false',
      CALICO_IPV6POOL_CIDR: 'fd00:100::/56',
      CALICO_IPV6POOL_VXLAN: 'Always',
      CALICO_IPV6POOL_NAT_OUTGOING: 'true',
      FELIX_IPV6SUPPORT: 'true',
    });
  });
});

const agentMounts = [
  'bpffs /sys/fs/bpf',
  'cni-log-dir /var/log/calico/cni read-only',
  'cni-net-dir /host/etc/cni/net.d',
  'lib-modules /lib/modules read-only',
  'policysync /var/run/nodeagent',
  'var-lib-calico /var/lib/calico',
  'var-run-calico /var/run/calico',
  'xtables-lock /run/xtables.lock',
];

test.each<[name: string, line: CalicoLine, expected: string[]]>([
  ['upgrade-ipam', newest, ['cni-bin-dir /host/opt/cni/bin', 'host-local-net-dir /var/lib/cni/networks']],
  ['install-cni', newest, ['cni-bin-dir /host/opt/cni/bin', 'cni-net-dir /host/etc/cni/net.d']],
  [
    'ebpf-bootstrap',
    newest,
    ['nodeproc /nodeproc read-only', 'sys-fs /sys/fs Bidirectional', 'var-run-calico /var/run/calico Bidirectional'],
  ],
  ['calico-node', newest, agentMounts],
  ['calico-node', 'v3.31', [...agentMounts, 'sys-kernel-security /sys/kernel/security read-only']],
])('mounts of %s in %s', (name, line, expected) => {
  expect(mountsOf(containerOf(name, line))).toEqual(expected.toSorted());
});

const volumes = [
  'bpffs /sys/fs/bpf Directory',
  'cni-bin-dir /opt/cni/bin DirectoryOrCreate',
  'cni-log-dir /var/log/calico/cni',
  'cni-net-dir /etc/cni/net.d',
  'host-local-net-dir /var/lib/cni/networks',
  'lib-modules /lib/modules',
  'nodeproc /proc',
  'policysync /var/run/nodeagent DirectoryOrCreate',
  'sys-fs /sys/fs/ DirectoryOrCreate',
  'var-lib-calico /var/lib/calico DirectoryOrCreate',
  'var-run-calico /var/run/calico DirectoryOrCreate',
  'xtables-lock /run/xtables.lock FileOrCreate',
];

test.each<[line: CalicoLine, expected: string[]]>([
  ['v3.31', [...volumes, 'sys-kernel-security /sys/kernel/security']],
  ['v3.32', volumes],
])('paths of the node in %s', (line, expected) => {
  const paths = specOf(line).template.spec?.volumes?.map(({ name, hostPath }) =>
    [name, hostPath?.path, hostPath?.type].filter((word) => word !== undefined).join(' '),
  );
  expect(paths?.toSorted()).toEqual(expected.toSorted());
});

test.each([
  ['10.100.0.0/16', 'bird'],
  // Upstream's manifest is for IPv4; calico-node's own flags for the other daemon (node/cmd/calico-node/main.go).
  ['fd00:100::/56', 'bird6'],
])('health, resources and the end of calico-node for %s', (podCidr, daemon) => {
  const { livenessProbe, readinessProbe, lifecycle, resources, ports } = containerOf('calico-node', newest, podCidr);
  const times = { periodSeconds: 10, timeoutSeconds: 10 };
  expect({ livenessProbe, readinessProbe, lifecycle, resources, ports }).toEqual({
    livenessProbe: {
      exec: { command: ['/bin/calico-node', '-felix-live', `-${daemon}-live`] },
      initialDelaySeconds: 10,
      failureThreshold: 6,
      ...times,
    },
    readinessProbe: { exec: { command: ['/bin/calico-node', '-felix-ready', `-${daemon}-ready`] }, ...times },
    lifecycle: { preStop: { exec: { command: ['/bin/calico-node', '-shutdown'] } } },
    resources: { requests: { cpu: '250m' } },
    ports: undefined,
  });
});
