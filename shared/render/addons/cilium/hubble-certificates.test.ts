import type { V1CronJob, V1Job, V1JobSpec } from '@kubernetes/client-node';
import { describe, expect, test } from 'vitest';
import { find } from '../testing/manifests.ts';
import { lines, renderedCilium, type Situation, tags } from './testing/rendered-cilium.ts';

// Facts: cilium/charts, cilium-1.15.3.tgz and cilium-1.20.0.tgz, templates/hubble/tls-cronjob/*.yaml.
// Other than upstream: no time to live of the Jobs (v1.15); v1.15 runs with no more rights than v1.20; the certificates of v1.20
// stand in JSON, which is YAML; the Job is named after its content also in v1.15, where Helm's hooks replace it.

const name = 'hubble-generate-certs';

function jobs(tag: string, situation: Situation = {}): { readonly first: V1Job; readonly renewal: V1CronJob } {
  const manifests = renderedCilium(tag, situation);
  const [first = '', ...others] = manifests.flatMap(({ kind, metadata }) => (kind === 'Job' ? [metadata.name] : []));
  expect(others).toEqual([]);
  expect(first).toMatch(/^hubble-generate-certs-/);
  return { first: find(manifests, 'Job', first), renewal: find(manifests, 'CronJob', name) };
}

function certgen(spec: V1JobSpec | undefined) {
  return spec?.template.spec?.containers[0];
}

describe.each(lines)('certificates of %s', (line) => {
  const { first, renewal } = jobs(tags[line]);

  test('are made at once and renewed in the same way', () => {
    expect(renewal.spec).toEqual({
      schedule: '0 0 1 */4 *',
      concurrencyPolicy: 'Forbid',
      jobTemplate: { spec: first.spec },
    });
    const labels = {
      'k8s-app': name,
      'app.kubernetes.io/name': name,
      'app.kubernetes.io/part-of': 'cilium',
    };
    for (const { metadata } of [first, renewal]) expect(metadata).toMatchObject({ namespace: 'kube-system', labels });
  });

  test('come from certgen, which has no right on its node', () => {
    const { template, ...rest } = first.spec!;
    expect(rest).toEqual({});
    expect(template.metadata).toEqual({ labels: { 'k8s-app': name } });
    const { containers, ...pod } = template.spec!;
    expect(pod).toEqual({
      securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
      ...(line === 'v1.15' ? { hostNetwork: true } : {}),
      serviceAccountName: name,
      automountServiceAccountToken: true,
      restartPolicy: 'OnFailure',
    });
    expect(containers).toHaveLength(1);
    expect(containers[0]).toMatchObject({
      name: 'certgen',
      command: ['/usr/bin/cilium-certgen'],
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    });
  });

  test('have no key and no certificate in a manifest', () => {
    const manifests = renderedCilium(tags[line]);
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    expect(JSON.stringify(manifests)).not.toMatch(/BEGIN|LS0t/);
  });

  test('are made by another Job whenever the Job would be another one', () => {
    const nameOf = (tag: string, situation: Situation = {}) => jobs(tag, situation).first.metadata?.name;
    const given = nameOf(tags[line]);
    expect(given).toMatch(/^hubble-generate-certs-[0-9a-f]{10}$/);
    expect(nameOf(tags[line])).toBe(given);
    const patched = tags[line].replace(/\d+$/, '9');
    expect(nameOf(patched)).toBe(given);
    const others = [nameOf(tags[line], { hubbleUi: false }), nameOf(tags[line], { prefix: 'mirror.example.org' })];
    expect(new Set([given, ...others]).size).toBe(3);
  });
});

const server = ['--hubble-server-cert-generate', '--hubble-server-cert-common-name=*.default.hubble-grpc.cilium.io'];

test.each([
  [false, []],
  [true, ['--hubble-relay-client-cert-generate', '--hubble-relay-client-cert-validity-duration=94608000s']],
])('v1.15 names them by flags; with a relay: %s', (hubbleUi, relay) => {
  const container = certgen(jobs('v1.15.3', { hubbleUi }).first.spec);
  expect(container?.args).toEqual([
    '--cilium-namespace=kube-system',
    '--ca-generate',
    '--ca-reuse-secret',
    ...server,
    '--hubble-server-cert-validity-duration=94608000s',
    ...relay,
  ]);
  expect(container?.env).toBeUndefined();
});

function certificate(secret: string, host: string, roles: readonly string[]) {
  const usage = ['signing', 'key encipherment', ...roles];
  return { name: secret, namespace: 'kube-system', commonName: host, hosts: [host], usage, validity: '8760h' };
}

test.each([
  [false, []],
  [true, [certificate('hubble-relay-client-certs', '*.hubble-relay.cilium.io', ['client auth'])]],
])('v1.20 names them in a list; with a relay: %s', (hubbleUi, relay) => {
  const container = certgen(jobs('v1.20.0', { hubbleUi }).first.spec);
  expect(container?.args).toEqual([
    '--ca-generate=true',
    '--ca-reuse-secret',
    '--ca-secret-namespace=kube-system',
    '--ca-secret-name=cilium-ca',
    '--ca-common-name=Cilium CA',
    '--ca-enforce-validity-throughout-leaves-duration=true',
  ]);
  expect(container?.env?.map((variable) => variable.name)).toEqual(['CILIUM_CERTGEN_CONFIG']);
  const agents = certificate('hubble-server-certs', '*.default.hubble-grpc.cilium.io', ['server auth', 'client auth']);
  expect(JSON.parse(container?.env?.[0]?.value ?? '')).toEqual({ certs: [agents, ...relay] });
});
