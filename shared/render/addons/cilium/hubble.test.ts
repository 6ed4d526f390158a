import type { V1ConfigMap, V1Deployment, V1PodSpec, V1Service } from '@kubernetes/client-node';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { environmentOf, mountsOf } from '../testing/containers.ts';
import { secretsOf } from '../testing/volumes.ts';
import type { CiliumLine } from './releases.ts';
import { lines, renderedObject, tags } from './testing/rendered-cilium.ts';

// Facts: cilium/charts, cilium-1.15.3.tgz and cilium-1.20.0.tgz, templates/hubble-relay/*.yaml, templates/hubble-ui/*.yaml,
// templates/hubble/peer-service.yaml. Other than upstream:
// - the relay looks for the agents in the cluster's own domain, not always in cluster.local;
// - the relay of v1.15 has the probes of chart 1.15.19, which let it try for longer;
// - the page of v1.15 allows no other origins, as that of v1.20 does not;
// - probes and Services name ports by number; empty settings of the relay are left out; the relay's account says nothing of
//   its token (v1.20), which its pod does not mount.

function labelsOf(name: string): Record<string, string> {
  return {
    'k8s-app': name,
    'app.kubernetes.io/name': name,
    'app.kubernetes.io/part-of': 'cilium',
  };
}

const hardened = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
const seccompProfile = { type: 'RuntimeDefault' };

describe.each(lines)('Hubble of %s', (line) => {
  test.each([true, false])('lets agents be found on the own node alone (user interface: %s)', (hubbleUi) => {
    const { metadata, spec } = renderedObject<V1Service>(line, ['Service', 'hubble-peer'], { hubbleUi });
    expect(metadata?.labels).toEqual({ ...labelsOf('hubble-peer'), 'k8s-app': 'cilium' });
    expect(spec).toEqual({
      selector: { 'k8s-app': 'cilium' },
      ports: [{ name: 'peer-service', port: 443, protocol: 'TCP', targetPort: 4244 }],
      internalTrafficPolicy: 'Local',
    });
  });

  test.each([
    ['hubble-relay', { protocol: 'TCP', port: 80, targetPort: 4245 }],
    ['hubble-ui', { name: 'http', port: 80, targetPort: 8081 }],
  ])('has one %s behind a Service', (name, port) => {
    const service = renderedObject<V1Service>(line, ['Service', name]);
    expect(service.metadata?.labels).toEqual(labelsOf(name));
    expect(service.spec).toEqual({ type: 'ClusterIP', selector: { 'k8s-app': name }, ports: [port] });
    const { metadata, spec } = renderedObject<V1Deployment>(line, ['Deployment', name]);
    expect(metadata?.labels).toEqual(labelsOf(name));
    const { template, ...rest } = spec!;
    expect(rest).toEqual({
      replicas: 1,
      selector: { matchLabels: { 'k8s-app': name } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
    });
    expect(template.metadata).toEqual({ labels: labelsOf(name) });
  });

  test('has a relay that finds the agents in the cluster’s domain', () => {
    const { data = {} } = renderedObject<V1ConfigMap>(line, ['ConfigMap', 'hubble-relay-config'], {
      serviceDomain: 'example.internal',
    });
    const peer = `hubble-peer.kube-system.svc.example.internal${line === 'v1.20' ? '.' : ''}:443`;
    expect(load(data['config.yaml'] ?? '')).toEqual({
      'cluster-name': 'default',
      'peer-service': peer,
      'listen-address': ':4245',
      gops: true,
      'gops-port': '9893',
      'tls-hubble-client-cert-file': '/var/lib/hubble-relay/tls/client.crt',
      'tls-hubble-client-key-file': '/var/lib/hubble-relay/tls/client.key',
      'tls-hubble-server-ca-files': '/var/lib/hubble-relay/tls/hubble-server-ca.crt',
      'disable-server-tls': true,
    });
  });

  test('has a relay that waits for its certificates, on a node with an agent', () => {
    const { containers, volumes, securityContext, ...pod } = podOf(line, 'hubble-relay');
    expect(pod).toEqual({
      serviceAccountName: 'hubble-relay',
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 1,
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { labelSelector: { matchLabels: { 'k8s-app': 'cilium' } }, topologyKey: 'kubernetes.io/hostname' },
          ],
        },
      },
      nodeSelector: { 'kubernetes.io/os': 'linux' },
    });
    expect(securityContext).toEqual({ fsGroup: 65532, ...(line === 'v1.20' ? { seccompProfile } : {}) });
    expect(secretsOf(volumes, 'tls')).toEqual([
      'hubble-relay-client-certs needed ca.crt→hubble-server-ca.crt tls.crt→client.crt tls.key→client.key',
    ]);
    expect(volumes).toContainEqual({
      name: 'config',
      configMap: { name: 'hubble-relay-config', items: [{ key: 'config.yaml', path: 'config.yaml' }] },
    });
    expect(volumes).toHaveLength(line === 'v1.20' ? 3 : 2);
    expect(mountsOf(containers[0]!)).toEqual([
      'config /etc/hubble-relay read-only',
      'tls /var/lib/hubble-relay/tls read-only',
      ...(line === 'v1.20' ? ['tmp-volume /tmp'] : []),
    ]);
  });

  test('runs the relay as upstream does', () => {
    const { containers } = podOf(line, 'hubble-relay');
    const { image, volumeMounts, ...container } = containers[0]!;
    const user = { runAsGroup: 65532, runAsNonRoot: true, runAsUser: 65532 };
    const older = { capabilities: { drop: ['ALL'] }, ...user };
    const grpc = { port: 4222 };
    expect(containers).toHaveLength(1);
    expect(image).toMatch(`quay.io/cilium/hubble-relay:${tags[line]}@sha256:`);
    expect(container).toEqual({
      name: 'hubble-relay',
      command: ['hubble-relay'],
      args: ['serve'],
      ports: [{ name: 'grpc', containerPort: 4245 }],
      readinessProbe: { grpc, timeoutSeconds: 3 },
      livenessProbe: { grpc, timeoutSeconds: 10, initialDelaySeconds: 10, periodSeconds: 10, failureThreshold: 12 },
      startupProbe: { grpc, initialDelaySeconds: 10, periodSeconds: 3, failureThreshold: 20 },
      securityContext:
        line === 'v1.20' ? { ...hardened, ...user, readOnlyRootFilesystem: true, seccompProfile } : older,
      terminationMessagePolicy: 'FallbackToLogsOnError',
    });
  });

  test('has a page and a backend that asks the relay', () => {
    const { containers, volumes, securityContext, ...pod } = podOf(line, 'hubble-ui');
    expect(pod).toEqual({
      serviceAccountName: 'hubble-ui',
      automountServiceAccountToken: true,
      nodeSelector: { 'kubernetes.io/os': 'linux' },
    });
    const user = { fsGroup: 1001, runAsGroup: 1001, runAsNonRoot: true, runAsUser: 1001, seccompProfile };
    expect(securityContext).toEqual(line === 'v1.20' ? user : {});
    expect(volumes).toEqual([
      { name: 'hubble-ui-nginx-conf', configMap: { name: 'hubble-ui-nginx', defaultMode: 0o644 } },
      { name: 'tmp-dir', emptyDir: line === 'v1.20' ? { sizeLimit: '256Mi' } : {} },
    ]);
    expect(containers.map(({ name, ports, securityContext: rights }) => ({ name, ports, rights }))).toEqual([
      { name: 'frontend', ports: [{ name: 'http', containerPort: 8081 }], rights: line === 'v1.20' ? hardened : {} },
      { name: 'backend', ports: [{ name: 'grpc', containerPort: 8090 }], rights: line === 'v1.20' ? hardened : {} },
    ]);
    const [frontend, backend] = containers;
    expect(frontend).toMatchObject({
      livenessProbe: { httpGet: { path: '/healthz', port: 8081 } },
      readinessProbe: { httpGet: { path: '/', port: 8081 } },
    });
    expect(mountsOf(frontend!)).toEqual([
      'hubble-ui-nginx-conf /etc/nginx/conf.d/default.conf nginx.conf',
      'tmp-dir /tmp',
    ]);
    expect(environmentOf(backend!)).toEqual({ EVENTS_SERVER_PORT: '8090', FLOWS_API_ADDR: 'hubble-relay:80' });
  });

  test('serves the page, and the backend below /api', () => {
    const { data = {} } = renderedObject<V1ConfigMap>(line, ['ConfigMap', 'hubble-ui-nginx']);
    const text = data['nginx.conf'] ?? '';
    expect(text.split('{')).toHaveLength(text.split('}').length);
    const directives = text.split(/[;{}]/).map((directive) => directive.trim());
    expect(directives).toEqual(
      expect.arrayContaining([
        'listen 8081',
        'listen [::]:8081',
        'root /app',
        'client_max_body_size 1G',
        'location /api',
        'proxy_http_version 1.1',
        'proxy_set_header Host $host',
        'proxy_set_header X-Real-IP $remote_addr',
        'proxy_pass http://127.0.0.1:8090',
        'location = /healthz',
        'return 200 ok',
        'try_files $uri $uri/ /index.html',
      ]),
    );
    expect(text).not.toContain('Access-Control-Allow-Origin');
  });
});

function podOf(line: CiliumLine, name: string): V1PodSpec {
  return renderedObject<V1Deployment>(line, ['Deployment', name]).spec!.template.spec!;
}
