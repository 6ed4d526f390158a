import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kubeConfigConnection } from './kubeconfig-connection.ts';

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
  path = join(directory, 'config');
});
afterEach(() => rm(directory, { recursive: true }));

const base64 = (text: string) => Buffer.from(text).toString('base64');

interface Kubeconfig {
  readonly cluster?: Record<string, unknown>;
  readonly user?: Record<string, unknown>;
}

/** JSON is YAML, so a kubeconfig may be written in it. */
async function write({ cluster, user = {} }: Kubeconfig): Promise<void> {
  const server = 'https://api.example:6443';
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server, ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [
      { name: 'one', context: { cluster: 'c', user: 'u' } },
      { name: 'broken', context: { cluster: 'none', user: 'u' } },
    ],
    'current-context': 'one',
  };
  await writeFile(path, JSON.stringify(config));
}

describe('the connection of a kubeconfig', () => {
  it('has its certificates', async () => {
    await write({
      cluster: { 'certificate-authority-data': base64('CA'), 'tls-server-name': 'kubernetes' },
      user: { 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') },
    });
    expect(await kubeConfigConnection({ path })).toEqual({
      server: 'https://api.example:6443',
      caCertificate: 'CA',
      serverName: 'kubernetes',
      clientCertificate: { certificate: 'CERT', privateKey: 'KEY' },
      insecureSkipTlsVerify: false,
      token: undefined,
    });
  });

  it('has its token', async () => {
    await write({ cluster: { 'insecure-skip-tls-verify': true }, user: { token: 'secret' } });
    const connection = await kubeConfigConnection({ path });
    expect(connection.insecureSkipTlsVerify).toBe(true);
    expect(await connection.token?.()).toBe('secret');
  });

  it('asks an exec plug-in for its token', async () => {
    const credential = {
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token: 'from the plug-in' },
    };
    const program = `console.log(${JSON.stringify(JSON.stringify(credential))})`;
    const exec = { apiVersion: credential.apiVersion, command: process.execPath, args: ['-e', program] };
    await write({ user: { exec } });
    const connection = await kubeConfigConnection({ path });
    expect(await connection.token?.()).toBe('from the plug-in');
  });

  it.each([
    { what: 'a context without a cluster', config: {}, context: 'broken', says: 'no cluster for the context "broken"' },
    { what: 'a proxy', config: { cluster: { 'proxy-url': 'http://p' } }, context: 'one', says: 'proxy-url' },
    { what: 'impersonation', config: { user: { as: 'other' } }, context: 'one', says: 'impersonates' },
  ])('refuses $what in one sentence', async ({ config, context, says }) => {
    await write(config);
    await expect(kubeConfigConnection({ path, context })).rejects.toThrow(says);
  });
});
