import type { V1Deployment } from '@kubernetes/client-node';
import { describe, expect, test } from 'vitest';
import { environmentOf, mountsOf } from '../testing/containers.ts';
import type { CiliumLine } from './releases.ts';
import { lines, renderedObject, type Situation, tags } from './testing/rendered-cilium.ts';

// Facts: cilium/charts, cilium-1.15.3.tgz and cilium-1.20.0.tgz, templates/cilium-operator/deployment.yaml.
// Other than upstream: probes name the port's number, which v1.20 names by its name.

function deployment(line: CiliumLine, situation: Situation = {}): V1Deployment {
  return renderedObject(line, ['Deployment', 'cilium-operator'], situation);
}

const selected = { 'io.cilium/app': 'operator', name: 'cilium-operator' };
const labels = {
  ...selected,
  'app.kubernetes.io/name': 'cilium-operator',
  'app.kubernetes.io/part-of': 'cilium',
};

const taints = [
  'node-role.kubernetes.io/control-plane',
  'node-role.kubernetes.io/master',
  'node.kubernetes.io/not-ready',
  'node.cloudprovider.kubernetes.io/uninitialized',
  'node.cilium.io/agent-not-ready',
];

describe.each(lines)('the operator of %s', (line) => {
  test('runs twice, on different nodes, and selects what upstream selects', () => {
    const { metadata, spec } = deployment(line);
    expect(metadata?.labels).toEqual(labels);
    const { template, ...rest } = spec!;
    expect(rest).toEqual({
      replicas: 2,
      selector: { matchLabels: selected },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '50%' } },
    });
    expect(template.metadata).toEqual({
      labels,
      annotations: { 'prometheus.io/port': '9963', 'prometheus.io/scrape': 'true' },
    });
    const { containers, securityContext, tolerations, ...pod } = template.spec!;
    expect(pod).toEqual({
      hostNetwork: true,
      priorityClassName: 'system-cluster-critical',
      serviceAccountName: 'cilium-operator',
      automountServiceAccountToken: true,
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { labelSelector: { matchLabels: { 'io.cilium/app': 'operator' } }, topologyKey: 'kubernetes.io/hostname' },
          ],
        },
      },
      nodeSelector: { 'kubernetes.io/os': 'linux' },
      volumes: [{ name: 'cilium-config-path', configMap: { name: 'cilium-config' } }],
    });
  });

  test('reads cilium-config, and answers on the node’s own address', () => {
    const [container, ...others] = deployment(line).spec!.template.spec!.containers;
    expect(others).toEqual([]);
    const { env, volumeMounts, image, ports, securityContext, ...rest } = container!;
    const httpGet = { host: '127.0.0.1', path: '/healthz', port: 9234 };
    expect(rest).toEqual({
      name: 'cilium-operator',
      command: ['cilium-operator-generic'],
      args: ['--config-dir=/tmp/cilium/config-map', '--debug=$(CILIUM_DEBUG)'],
      livenessProbe: { httpGet, initialDelaySeconds: 60, periodSeconds: 10, timeoutSeconds: 3 },
      readinessProbe: { httpGet, periodSeconds: 5, timeoutSeconds: 3, failureThreshold: 5 },
      terminationMessagePolicy: 'FallbackToLogsOnError',
    });
    expect(environmentOf(container!)).toEqual({
      K8S_NODE_NAME: 'field spec.nodeName',
      CILIUM_K8S_NAMESPACE: 'field metadata.namespace',
      CILIUM_DEBUG: 'cilium-config debug optional',
    });
    expect(mountsOf(container!)).toEqual(['cilium-config-path /tmp/cilium/config-map read-only']);
    expect(image).toMatch(`quay.io/cilium/operator-generic:${tags[line]}@sha256:`);
    const [overIpv6] = deployment(line, { podCidr: 'fd00:100::/56' }).spec!.template.spec!.containers;
    expect(overIpv6?.readinessProbe?.httpGet?.host).toBe('::1');
  });
});

const metricsPort = { name: 'prometheus', containerPort: 9963, hostPort: 9963, protocol: 'TCP' };
const healthPort = { name: 'health', containerPort: 9234, hostPort: 9234, protocol: 'TCP' };

test.each([
  ['v1.15', [metricsPort], {}, {}, [{ operator: 'Exists' }]],
  [
    'v1.20',
    [healthPort, metricsPort],
    { seccompProfile: { type: 'RuntimeDefault' } },
    { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    taints.map((key) => ({ key, operator: 'Exists' })),
  ],
] as const)('the ports, rights and tolerations of %s', (line, ports, podSecurity, containerSecurity, tolerations) => {
  const pod = deployment(line).spec!.template.spec!;
  expect(pod.containers[0]?.ports).toEqual(ports);
  expect(pod.securityContext).toEqual(podSecurity);
  expect(pod.containers[0]?.securityContext).toEqual(containerSecurity);
  expect(pod.tolerations).toEqual(tolerations);
});
