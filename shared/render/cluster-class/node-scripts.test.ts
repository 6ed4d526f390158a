import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { keystoneAuthScript } from './keystone-auth-script.ts';
import { kubeProxyFile } from './kube-proxy.ts';

const run = promisify(execFile);
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'node-scripts-'));
});

afterEach(() => rm(directory, { recursive: true }));

describe("the script for kube-proxy's metrics", () => {
  const clusterConfiguration = '---\napiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\n';
  const joinConfiguration = '---\napiVersion: kubeadm.k8s.io/v1beta4\nkind: JoinConfiguration\n';
  const addition = `---
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
metricsBindAddress: 0.0.0.0:10249
`;

  async function configure(): Promise<void> {
    const script = Buffer.from(kubeProxyFile.content, 'base64').toString();
    const here = script.replaceAll('/run/kubeadm/', `${directory}/`).replaceAll('/etc/', `${directory}/`);
    await run('sh', ['-c', here]);
  }

  test.each(['kubeadm.yaml', 'kubeadm.yml'])('adds them once to the file %s', async (file) => {
    await writeFile(join(directory, file), clusterConfiguration);
    await configure();
    await configure();
    expect(await readFile(join(directory, file), 'utf8')).toBe(clusterConfiguration + addition);
    expect(await readdir(directory)).toEqual([file]);
  });

  test('leaves the file of a node that joins', async () => {
    await writeFile(join(directory, 'kubeadm.yml'), joinConfiguration);
    await configure();
    expect(await readFile(join(directory, 'kubeadm.yml'), 'utf8')).toBe(joinConfiguration);
  });
});

describe('the script that turns the API server over to Keystone', () => {
  const flags = (mode: string) => [
    'kube-apiserver',
    '--allow-privileged=true',
    `--authorization-mode=${mode}`,
    '--profiling=false',
  ];
  const manifestOf = (command: string[]) =>
    `spec:\n  containers:\n  - command:\n${command.map((flag) => `    - ${flag}\n`).join('')}    image: registry.k8s.io/kube-apiserver:v1.33.4\n`;
  const before = manifestOf(flags('Node,RBAC'));
  const webhookConfig = '/etc/kubernetes/webhooks/webhookconfig.yaml';
  const after = manifestOf(
    flags('Node,RBAC,Webhook').toSpliced(
      3,
      0,
      `--authentication-token-webhook-config-file=${webhookConfig}`,
      `--authorization-webhook-config-file=${webhookConfig}`,
    ),
  );

  let authenticator: Server;
  let port: number;
  let manifest: string;
  let apiServer: ChildProcess | undefined;

  beforeEach(async () => {
    manifest = join(directory, 'manifests', 'kube-apiserver.yaml');
    await mkdir(join(directory, 'manifests'));
    await mkdir(join(directory, 'bin'));
    await writeFile(manifest, before, { mode: 0o600 });
    authenticator = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(authenticator, 'listening');
    const address = authenticator.address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
    await kubectl('exit 0');
  });

  afterEach(() => {
    authenticator.close();
    apiServer?.kill();
    apiServer = undefined;
  });

  /** A command that the script finds before the system's. */
  async function command(name: string, script: string): Promise<void> {
    await writeFile(join(directory, 'bin', name), `#!/bin/sh\n${script}\n`);
    await chmod(join(directory, 'bin', name), 0o755);
  }

  /** Stands for the API server's answer to a health check. */
  const kubectl = (script: string) => command('kubectl', script);

  /** Stands for the new API server's process, by its command line. */
  function startApiServer(): void {
    apiServer = spawn('sleep', ['60'], {
      argv0: `kube-apiserver --authorization-webhook-config-file=${webhookConfig}`,
    });
  }

  /** Sleeps are short, and leave a trace. */
  async function start() {
    const script = keystoneAuthScript({ port, webhookConfig, kubernetes: directory }).replace('seq 60', 'seq 5');
    const path = join(directory, 'enable.sh');
    await writeFile(path, script);
    await command('sleep', `echo >>${directory}/slept; exec /bin/sleep 0.05`);
    return run('bash', [path], { env: { PATH: `${directory}/bin:${process.env['PATH']}` } });
  }

  const sleeps = async () => (await readFile(join(directory, 'slept'), 'utf8')).length;

  test('changes the one flag and adds two, in a file that only root reads', async () => {
    startApiServer();
    await start();
    expect(await readFile(manifest, 'utf8')).toBe(after);
    expect((await stat(manifest)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(directory, 'manifests'))).toEqual(['kube-apiserver.yaml']);
  });

  test('leaves a manifest that is changed already', async () => {
    await writeFile(manifest, after);
    await start();
    expect(await readFile(manifest, 'utf8')).toBe(after);
  });

  test.each([
    ['the authenticator listens', () => new Promise<void>((resolve) => authenticator.close(() => resolve()))],
    ['the API server is ready', () => kubectl('exit 1')],
  ])('waits until %s', async (_title, prevent) => {
    startApiServer();
    await prevent();
    const running = start();
    await vi.waitFor(async () => expect(await sleeps()).toBeGreaterThan(1));
    expect(await readFile(manifest, 'utf8')).toBe(before);
    await kubectl('exit 0');
    if (!authenticator.listening) authenticator.listen(port, '127.0.0.1');
    await running;
    expect(await readFile(manifest, 'utf8')).toBe(after);
  });

  test('puts the old manifest back when the API server does not become ready', async () => {
    startApiServer();
    await kubectl(`if grep -q Webhook ${manifest}; then exit 1; fi`);
    await expect(start()).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('old manifest is put back'),
    });
    expect(await readFile(manifest, 'utf8')).toBe(before);
  });

  test('puts the old manifest back when the new API server never starts', async () => {
    await expect(start()).rejects.toMatchObject({ code: 1 });
    expect(await readFile(manifest, 'utf8')).toBe(before);
  });
});
