import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resolveAssets } from './assets.ts';
import { type ControlPlane, chooseFreePorts, startControlPlane } from './control-plane.ts';
import { isAlive } from './is-alive.ts';
import { connectApi } from './kubernetes-api.ts';
import { partNames } from './parts.ts';
import { waitFor } from './wait-for.ts';

let root: string;
let started: ControlPlane[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'control-plane-test-'));
  started = [];
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(started.map((controlPlane) => controlPlane.stop()));
  await rm(root, { recursive: true });
});

async function start(...args: Parameters<typeof startControlPlane>): Promise<ControlPlane> {
  const controlPlane = await startControlPlane(...args);
  started.push(controlPlane);
  return controlPlane;
}

async function takePort(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as { readonly port: number }).port };
}

async function namespaces(controlPlane: ControlPlane): Promise<string> {
  const api = connectApi({ ...controlPlane, token: controlPlane.adminToken });
  const list = await api.call('GET', '/api/v1/namespaces');
  api.close();
  return JSON.stringify(list);
}

/** A folder of assets that are fine but for one. */
async function breakAsset(name: 'etcd' | 'kube-apiserver', content: string): Promise<void> {
  for (const [good, path] of await resolveAssets({ names: ['etcd', 'kube-apiserver'] })) {
    await (good === name ? writeFile(join(root, name), content) : symlink(path, join(root, good)));
  }
  vi.stubEnv('TEST_ASSETS_DIR', root);
}

async function createNamespace(controlPlane: ControlPlane, name: string): Promise<void> {
  const api = connectApi({ ...controlPlane, token: controlPlane.adminToken });
  await api.call('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  api.close();
}

test('stop ends every process and removes the folder', async () => {
  const controlPlane = await start({ managers: false });
  const pids = Object.values(controlPlane.pids);
  expect(Object.keys(controlPlane.pids).sort()).toEqual(['etcd', 'kube-apiserver']);
  expect(pids.map(isAlive)).toEqual([true, true]);
  await controlPlane.stop();
  expect(pids.map(isAlive)).toEqual([false, false]);
  await expect(stat(controlPlane.directory)).rejects.toThrow('ENOENT');
});

test('a part that was killed starts again as it was', async () => {
  const controlPlane = await start({ managers: false });
  await createNamespace(controlPlane, 'kept');
  const { 'kube-apiserver': before } = controlPlane.pids;
  const startAgain = await controlPlane.kill('kube-apiserver');
  await expect(namespaces(controlPlane)).rejects.toThrow();
  startAgain();
  const kept = async () => expect(await namespaces(controlPlane)).toContain('kept');
  await waitFor(kept, { what: 'the API server' });
  expect(controlPlane.pids['kube-apiserver']).not.toBe(before);
});

test('runs side by side share nothing, and a port that is taken meanwhile costs another attempt', async () => {
  const taken = await takePort();
  const lines: string[] = [];
  const ports = [await chooseFreePorts(), await chooseFreePorts()];
  ports[0] = { ...ports[0]!, webhooks: { ...ports[0]!.webhooks, kcp: taken.port } };
  const [full, small] = await Promise.all([
    start({ onProgress: (line) => lines.push(line), choosePorts: async () => ports.shift()! }),
    start({ managers: false }),
  ]);
  taken.server.close();
  expect(lines.filter((line) => line.includes('took a port'))).toHaveLength(1);
  expect(Object.keys(full.pids).sort()).toEqual([...partNames].sort());
  expect(full.directory).not.toBe(small.directory);
  await createNamespace(full, 'only-here');
  expect(await namespaces(full)).toContain('only-here');
  expect(await namespaces(small)).not.toContain('only-here');
  await small.stop();
  expect(await namespaces(full)).toContain('magnum-system');
}, 300_000);

test('ports of etcd and kube-apiserver that are taken meanwhile cost another attempt each', async () => {
  const taken = await takePort();
  const lines: string[] = [];
  const free = await chooseFreePorts();
  const choices = [{ ...free, etcd: taken.port }, { ...free, apiServer: taken.port }, free];
  await start({
    managers: false,
    onProgress: (line) => lines.push(line),
    choosePorts: async () => choices.shift()!,
  });
  taken.server.close();
  expect(lines).toHaveLength(2);
});

test('a part that fails is named with its log and what that says, and the rest is stopped', async () => {
  const directory = join(root, 'run');
  const log = join(directory, 'logs', 'kube-apiserver.log');
  await breakAsset('kube-apiserver', '#!/bin/sh\necho "this binary is broken" >&2\nexit 3\n');
  await chmod(join(root, 'kube-apiserver'), 0o755);
  await expect(startControlPlane({ managers: false, directory })).rejects.toThrow(
    `kube-apiserver ended with exit code 3. Its log, ${log}, ends with:\nthis binary is broken`,
  );
  expect(await readFile(log, 'utf8')).toContain('this binary is broken');
  // It goes when the last process has ended.
  await expect(stat(join(directory, 'data'))).rejects.toThrow('ENOENT');
});

test('a binary that cannot be run is named', async () => {
  await breakAsset('etcd', 'for another machine');
  const starting = startControlPlane({ managers: false, directory: join(root, 'run') });
  await expect(starting).rejects.toThrow(/^etcd ended with spawn .*etcd EACCES\. Its log, .*etcd\.log, is empty\.$/);
});

test('a part that crashes later is told, and its log is kept', async () => {
  const lines: string[] = [];
  const controlPlane = await start({ managers: false, onProgress: (line) => lines.push(line) });
  process.kill(controlPlane.pids['kube-apiserver']!, 'SIGABRT');
  await vi.waitFor(() => expect(controlPlane.pids).not.toHaveProperty('kube-apiserver'), 10_000);
  await controlPlane.stop();
  const log = join(controlPlane.logsDirectory, 'kube-apiserver.log');
  expect(lines[0]).toMatch(`Its log is ${log}`);
  expect(lines.at(-1)).toContain(controlPlane.logsDirectory);
  expect(await readFile(log, 'utf8')).toContain('SIGABRT');
  await rm(controlPlane.directory, { recursive: true });
});

test('a folder that was given is used and kept', async () => {
  const directory = join(root, 'run');
  const controlPlane = await start({ managers: false, directory });
  expect(controlPlane.kubeconfigPath).toBe(join(directory, 'kubeconfig'));
  await controlPlane.stop();
  expect(await readFile(controlPlane.auditLogPath, 'utf8')).toContain('"requestURI":"/api/v1/namespaces');
});

test('a folder that is not empty is refused', async () => {
  await writeFile(join(root, 'precious'), '');
  await expect(startControlPlane({ managers: false, directory: root })).rejects.toThrow(
    `The folder ${root} is not empty`,
  );
});
