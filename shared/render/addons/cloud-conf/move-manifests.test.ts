import { dump, loadAll, YAML11_SCHEMA } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { exampleAccess } from '../testing/example-access.ts';
import { cloudConfigHash, cloudConfigManifest } from './cloud-config-manifest.ts';
import { cloudConfigHashAnnotation } from './mounting-workload.ts';
import { findCloudConfig, findMountingWorkloads, withCredential, withRestart } from './move-manifests.ts';

const access = {
  ...exampleAccess,
  applicationCredentialId: 'decaf',
  applicationCredentialSecret: 'other',
  caCertificate: 'PEM',
};
const conf = '[Global]\napplication-credential-id=c0ffee\n[LoadBalancer]\nlb-provider=ovn\n';

function secret(name: string, content: object, namespace = 'kube-system'): string {
  return dump({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, ...content });
}

function workload(kind: string, volume: object, changes: object = {}): string {
  const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [], volumes: [volume] }, ...changes };
  return dump({ apiVersion: 'apps/v1', kind, metadata: { name: 'x', namespace: 'kube-system' }, spec: { template } });
}

const mounted = { name: 'config', secret: { secretName: 'cloud-config' } };
const texts = { stringData: { 'cloud.conf': conf, 'ca.crt': '' } };
const encoded = { data: { 'cloud.conf': Buffer.from(conf).toString('base64'), 'ca.crt': '' } };

function read(text: string | undefined) {
  return loadAll(text ?? '', { schema: YAML11_SCHEMA });
}

describe('the credential in manifests', () => {
  test.each([
    ['as text', texts],
    ['in base64', encoded],
  ])('%s is replaced, once', (_how, content) => {
    const files = {
      'cloud.yaml': `# a comment\n---\n${secret('cloud-config', content)}`,
      'other.yaml': 'kind: Other\n',
    };
    const moved = withCredential(files, access);
    expect(Object.keys(moved)).toEqual(['cloud.yaml']);
    const found = findCloudConfig(moved);
    expect(found?.cloudConf).toContain('\napplication-credential-id=decaf\n');
    expect(found?.cloudConf).toContain('[LoadBalancer]\nlb-provider=ovn\n');
    expect(found?.caCertificate).toBe('PEM');
    expect(read(moved['cloud.yaml'])).toEqual([cloudConfigManifest(found ?? { cloudConf: '', caCertificate: '' })]);
    expect(withCredential({ ...files, ...moved }, access)).toEqual({});
  });

  test('comes without the authority that the cluster was given, which stays', () => {
    const files = { 'cloud.yaml': secret('cloud-config', { stringData: { 'cloud.conf': conf, 'ca.crt': 'OLD' } }) };
    const found = findCloudConfig(withCredential(files, { ...access, caCertificate: '' }));
    expect(found?.caCertificate).toBe('OLD');
    expect(found?.cloudConf).toContain('\nca-file=/etc/config/ca.crt\n');
  });

  test('of Manila CSI is replaced, and what stands beside it stays', () => {
    const content = { stringData: { 'os-authURL': 'https://k', 'os-applicationCredentialID': 'c0ffee' } };
    const moved = withCredential({ 'manila.yaml': secret('csi-manila-secrets', content) }, access);
    const [{ data, ...rest }] = read(moved['manila.yaml']) as [{ data: Record<string, string> }];
    const decoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]);
    expect(Object.fromEntries(decoded)).toEqual({
      'os-authURL': 'https://k',
      'os-applicationCredentialID': 'decaf',
      'os-applicationCredentialSecret': 'other',
    });
    expect(rest).not.toHaveProperty('stringData');
    expect(withCredential(moved, access)).toEqual({});
  });

  test.each([
    ['of another namespace', secret('cloud-config', texts, 'default')],
    ['of another name', secret('cloud-config-2', texts)],
    ['that is no YAML', 'a: [\n'],
    ['that is a list', '- a\n- b\n'],
    ['that is empty', ''],
  ])('does not stand in a file %s', (_what, text) => {
    expect(withCredential({ 'a.yaml': text }, access)).toEqual({});
    expect(findCloudConfig({ 'a.yaml': text })).toBeNull();
  });
});

describe('a workload', () => {
  test.each(['DaemonSet', 'Deployment', 'StatefulSet'])('%s that mounts the Secret restarts, once', (kind) => {
    const restarted = withRestart({ 'a.yaml': workload(kind, mounted) }, 'f00');
    const [document] = read(restarted['a.yaml']);
    expect(document).toMatchObject({
      spec: {
        template: {
          metadata: { labels: { app: 'x' }, annotations: { [cloudConfigHashAnnotation]: 'f00' } },
          spec: { volumes: [mounted] },
        },
      },
    });
    expect(findMountingWorkloads(restarted)).toEqual([{ kind, namespace: 'kube-system', name: 'x', hash: 'f00' }]);
    expect(withRestart(restarted, 'f00')).toEqual({});
    expect(Object.keys(withRestart(restarted, 'bar'))).toEqual(['a.yaml']);
  });

  test('that mounts it together with others restarts', () => {
    const volume = { projected: { sources: [{ configMap: { name: 'a' } }, { secret: { name: 'cloud-config' } }] } };
    expect(Object.keys(withRestart({ 'a.yaml': workload('DaemonSet', volume) }, 'f00'))).toEqual(['a.yaml']);
  });

  test.each([
    ['that mounts another Secret', workload('DaemonSet', { secret: { secretName: 'other' } })],
    ['of another kind', workload('Job', mounted)],
  ])('%s is left alone', (_what, text) => {
    expect(withRestart({ 'a.yaml': text }, 'f00')).toEqual({});
  });

  test('is written as Cluster API reads it, which takes 0644 for octal and yes for true', () => {
    const text = workload('DaemonSet', mounted).replace(
      'kind:',
      'mode: 0644\nflag: yes\nquoted: "0644"\nday: 2026-01-01\nkind:',
    );
    const written = withRestart({ 'a.yaml': text }, 'f00')['a.yaml'] ?? '';
    expect(JSON.parse(written)).toMatchObject({ mode: 420, flag: true, quoted: '0644', day: '2026-01-01' });
  });

  test('in a file of several documents leaves the others and their order', () => {
    const other = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: kube-system\n';
    const text = `---\n${other}---\n# empty\n---\n${workload('DaemonSet', mounted)}---\n${other}`;
    const kinds = read(withRestart({ 'a.yaml': text }, 'f00')['a.yaml']).map((document) => Object(document).kind);
    expect(kinds).toEqual(['ConfigMap', 'DaemonSet', 'ConfigMap']);
  });
});

test('the hash tells apart all that a pod reads', () => {
  const contents = [
    { cloudConf: 'a', caCertificate: '' },
    { cloudConf: 'a', caCertificate: 'b' },
    { cloudConf: 'ab', caCertificate: '' },
    { cloudConf: '', caCertificate: 'a' },
  ];
  expect(new Set(contents.map(cloudConfigHash)).size).toBe(contents.length);
});
