import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readBootstrapData } from './bootstrap-data.ts';

/** As the kubeadm bootstrap provider writes it for a machine that joins. */
const cloudConfig = `## template: jinja
#cloud-config

write_files:
-   path: /etc/kubernetes/pki/ca.crt
    owner: root:root
    permissions: '0640'
    content: |
      -----BEGIN CERTIFICATE-----
-   path: /etc/audit.yaml
    encoding: "base64"
    content: |
      ${Buffer.from('kind: Policy\n').toString('base64')}
-   path: /etc/compressed
    encoding: "gzip+base64"
    content: ${gzipSync('many words').toString('base64')}
-   path: /etc/empty
runcmd:
  - "systemctl restart containerd"
  - [ls, -l]
`;

test('the files of a cloud-config are decoded as cloud-init does', () => {
  const { format, files, commands } = readBootstrapData(cloudConfig);
  expect(format).toBe('cloud-config');
  expect(Object.fromEntries(files)).toEqual({
    '/etc/kubernetes/pki/ca.crt': '-----BEGIN CERTIFICATE-----\n',
    '/etc/audit.yaml': 'kind: Policy\n',
    '/etc/compressed': 'many words',
    '/etc/empty': '',
  });
  expect(commands).toEqual(['systemctl restart containerd', 'ls -l']);
});

const compressed = gzipSync('many wörds');

test.each([
  ['percent-encoded', { source: `data:,${encodeURIComponent('name: "{{ ö }}"\n')}` }, 'name: "{{ ö }}"\n'],
  ['in base64', { source: `data:text/plain;charset=utf-8;base64,${Buffer.from('a,b').toString('base64')}` }, 'a,b'],
  [
    'compressed in base64',
    { source: `data:;base64,${compressed.toString('base64')}`, compression: 'gzip' },
    'many wörds',
  ],
  ['compressed and percent-encoded', { source: percentEncode(compressed), compression: 'gzip' }, 'many wörds'],
  ['empty', { source: 'data:,' }, ''],
  ['without a source', {}, ''],
])('a file of an Ignition config that is %s is decoded', (_, contents, expected) => {
  expect(read([{ path: '/f', contents }]).files.get('/f')).toBe(expected);
});

function percentEncode(bytes: Buffer): string {
  return `data:,${[...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')}`;
}

function read(files: readonly unknown[]) {
  return readBootstrapData(JSON.stringify({ ignition: { version: '2.3.0' }, storage: { files } }));
}

test("the commands of an Ignition config are those of Cluster API's script", () => {
  const { format, commands } = read([{ path: '/etc/kubeadm.sh', contents: { source: 'data:,kubeadm%20join' } }]);
  expect(format).toBe('ignition');
  expect(commands).toEqual(['kubeadm join']);
});

test.each([
  ['a script', '#!/bin/sh\n', 'neither a cloud-config nor an Ignition config'],
  ['an unknown encoding', '#cloud-config\nwrite_files: [{path: /a, encoding: rot13}]', 'encoding rot13'],
  [
    'a file from elsewhere',
    '{"ignition":{"version":"2.3.0"},"storage":{"files":[{"path":"/a","contents":{"source":"https://b/c"}}]}}',
    'cannot read https://b/c',
  ],
])('%s is refused', (_, text, message) => {
  expect(() => readBootstrapData(text)).toThrow(message);
});
