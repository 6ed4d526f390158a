import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { assetFile } from './asset-file.ts';
import { type AssetOptions, cacheFolder, resolveAssets } from './assets.ts';
import { assetNames } from './parts.ts';

let root: string;
let environment: NodeJS.ProcessEnv;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'assets-test-'));
  environment = { XDG_CACHE_HOME: join(root, 'cache') };
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(root, { recursive: true });
});

async function put(folder: string, ...names: string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await Promise.all(names.map((name) => writeFile(join(folder, name), name)));
}

/** A `go` that logs its arguments and answers with empty modules and binaries. */
async function stubGo(version = 'go1.26.1'): Promise<string> {
  const calls = join(root, 'calls');
  const sources = join(root, 'sources');
  for (const folder of ['config', 'bootstrap/kubeadm/config', 'controlplane/kubeadm/config']) {
    await put(join(sources, folder, 'webhook'), 'manifests.yaml');
    await put(join(sources, folder, 'crd', 'bases'), `${folder.replaceAll('/', '-')}.yaml`);
  }
  const program = `#!${process.execPath}
const { appendFileSync, copyFileSync, writeFileSync } = require('node:fs');
const args = process.argv.slice(2);
appendFileSync(${JSON.stringify(calls)}, [process.env.GOFLAGS, ...args].join(' ') + '\\n');
const answers = {
  env: ${JSON.stringify(version)},
  mod: JSON.stringify({ Dir: ${JSON.stringify(sources)}, GoMod: ${JSON.stringify(join(root, 'kubernetes.mod'))} }),
};
console.log(answers[args[0]] ?? '');
if (args[1] === 'tidy') copyFileSync('go.mod', ${JSON.stringify(join(root, 'tidied.mod'))});
if (args[0] === 'build') writeFileSync(args[args.indexOf('-o') + 1], 'built');
`;
  await writeFile(join(root, 'kubernetes.mod'), 'replace (\n\tk8s.io/api => ./staging/src/k8s.io/api\n)\n');
  await mkdir(join(root, 'bin'));
  await writeFile(join(root, 'bin', 'go'), program);
  await chmod(join(root, 'bin', 'go'), 0o755);
  vi.stubEnv('PATH', join(root, 'bin'));
  return calls;
}

function resolve(options: Omit<AssetOptions, 'environment'> = {}) {
  return resolveAssets({ ...options, environment });
}

test('TEST_ASSETS_DIR comes before the cache, which gives what it lacks', async () => {
  const own = join(root, 'own');
  const cache = cacheFolder(environment);
  environment['TEST_ASSETS_DIR'] = own;
  await put(own, 'etcd');
  await put(cache, 'etcd', 'kube-apiserver');
  const assets = await resolve({ names: ['etcd', 'kube-apiserver'] });
  expect(assets.get('etcd')).toBe(join(own, 'etcd'));
  expect(assets.get('kube-apiserver')).toBe(join(cache, 'kube-apiserver'));
});

test('the cache is a folder of its own for each set of versions, outside the repository', () => {
  expect(cacheFolder({ XDG_CACHE_HOME: '/c' })).toMatch(
    /^\/c\/magnum-capi-functions\/kubernetes-\d.*-etcd-\d.*-cluster-api-\d/,
  );
  expect(cacheFolder({ XDG_CACHE_HOME: '' })).toMatch(/\.cache\/magnum-capi-functions\//);
});

test('a TEST_ASSETS_DIR that does not exist is an error, not a reason to build for minutes', async () => {
  environment['TEST_ASSETS_DIR'] = join(root, 'typo');
  await expect(resolve()).rejects.toThrow(
    `TEST_ASSETS_DIR names the folder ${join(root, 'typo')}, which does not exist.`,
  );
});

test('without Go, one sentence says what to install', async () => {
  vi.stubEnv('PATH', root);
  const failure = resolve({ names: ['etcd'] });
  await expect(failure).rejects.toThrow(
    /^Building the test control plane needs Go 1\.25 or newer: install it from .+\.$/,
  );
  await expect(failure).rejects.not.toThrow('\n');
});

test('a Go that is too old is named', async () => {
  await stubGo('go1.24.9');
  await expect(resolve({ names: ['etcd'] })).rejects.toThrow(
    'needs Go 1.25 or newer, but this is go1.24.9: install it',
  );
});

test('what is missing is built, with progress, whatever GOFLAGS the user has', async () => {
  vi.stubEnv('GOFLAGS', '-mod=vendor');
  const calls = await stubGo();
  const lines: string[] = [];
  await put(cacheFolder(environment), 'etcd');
  const assets = await resolve({ onProgress: (line) => lines.push(line) });
  expect([...assets.keys()].sort()).toEqual([...assetNames].sort());
  expect(lines).toContain('building kube-apiserver (1/9), the first time takes minutes ...');
  expect(lines.at(-1)).toMatch(/^building workload-kubelet \(9\/9\) done in \d+ s$/);
  expect(await readFile(calls, 'utf8')).not.toMatch(/-mod=vendor|go\.etcd\.io/);
  expect(await readFile(join(root, 'tidied.mod'), 'utf8')).toContain('replace k8s.io/api => k8s.io/api v0.');
  expect(assets.get('workload-kubelet')).toBe(join(cacheFolder(environment), await assetFile('workload-kubelet')));
  expect(await readFile(calls, 'utf8')).toMatch(/ build .*-mod=mod .*gitVersion=v1\.30\.14 .*kubeadm-1\.30\.14 /);
  const crds = join(assets.get('cluster-api')!, 'crds', 'bootstrap-kubeadm-config.yaml');
  expect(await readFile(crds, 'utf8')).toBe('bootstrap-kubeadm-config.yaml');
});

test('two that need the same at once build it once', async () => {
  const calls = await stubGo();
  const [one, two] = await Promise.all([resolve({ names: ['kcp'] }), resolve({ names: ['kcp'] })]);
  expect(one.get('kcp')).toBe(two.get('kcp'));
  expect((await readFile(calls, 'utf8')).match(/ build /g)).toHaveLength(1);
});

test('what Go complains about stands in the error', async () => {
  await stubGo();
  await writeFile(join(root, 'bin', 'go'), '#!/bin/sh\necho "go: no route to host" >&2\nexit 1\n');
  await expect(resolve({ names: ['etcd'] })).rejects.toThrow('"go env GOVERSION" failed:\ngo: no route to host');
});
