import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { runGo } from './go-toolchain.ts';
import { type AssetName, type KubeadmName, releases } from './parts.ts';

const kubernetes = 'k8s.io/kubernetes';
const clusterApi = 'sigs.k8s.io/cluster-api';
const etcd = 'go.etcd.io/etcd/server/v3';

/** Folder in the Go module that holds the source of the simulated machines' kubelet. */
export const kubeletPackage = 'kubelet';

/** Packages of other modules. */
const tools = {
  etcd,
  'capi-core': clusterApi,
  cabpk: `${clusterApi}/bootstrap/kubeadm`,
  kcp: `${clusterApi}/controlplane/kubeadm`,
  'kube-apiserver': `${kubernetes}/cmd/kube-apiserver`,
  'kube-controller-manager': `${kubernetes}/cmd/kube-controller-manager`,
};

export const kubeadmPackage = `${kubernetes}/cmd/kubeadm`;

/** What is built in the one module. */
export const goPackages: Readonly<Record<Exclude<AssetName, 'cluster-api' | KubeadmName>, string>> = {
  ...tools,
  'workload-kubelet': `./${kubeletPackage}`,
};

const downloadedModule = z.object({ Dir: z.string(), GoMod: z.string() });

/** Puts Cluster API's sources into the module cache and returns their folder. */
export async function downloadClusterApi(directory: string): Promise<string> {
  return (await download(directory, `${clusterApi}@v${releases.clusterApi}`)).Dir;
}

/** Writes the one Go module that all parts are built from, so that they share what they have in common. */
export async function writeGoModule(directory: string): Promise<void> {
  await writeFile(join(directory, 'go.mod'), goModule([]));
  const { GoMod } = await download(directory, `${kubernetes}@v${releases.kubernetes}`);
  await writeFile(join(directory, 'go.mod'), goModule(stagingModules(await readFile(GoMod, 'utf8'))));
  await runGo(directory, ['mod', 'tidy']);
}

/** Writes a Go module of its own for one kubeadm, whose libraries are those of its release; `-mod=mod` adds what is missing. */
export async function writeKubeadmModule(directory: string, version: string): Promise<void> {
  await writeFile(join(directory, 'go.mod'), 'module testassets\n');
  const { GoMod } = await download(directory, `${kubernetes}@v${version}`);
  const staging = stagingModules(await readFile(GoMod, 'utf8'));
  const needed = staging.filter((name) => !isSample(name));
  const left = await Promise.all(staging.filter(isSample).map((name) => writeEmptyModule(directory, name)));
  const lines = [
    'module testassets',
    `require ${kubernetes} v${version}`,
    ...replacements(needed, version),
    ...left,
    '',
  ];
  await writeFile(join(directory, 'go.mod'), lines.join('\n'));
}

/** Kubernetes' examples, which nothing is built from; not every proxy has all their releases. */
function isSample(module: string): boolean {
  return module.startsWith('k8s.io/sample-');
}

/** @returns the line of go.mod by which it takes the module's place */
async function writeEmptyModule(directory: string, module: string): Promise<string> {
  const folder = module.replaceAll('/', '-');
  await mkdir(join(directory, folder));
  await writeFile(join(directory, folder, 'go.mod'), `module ${module}\n`);
  return `replace ${module} => ./${folder}`;
}

/** Without a version in the binary, kube-apiserver calls itself v0.0.0 and clients misjudge it, and kubeadm refuses every cluster. */
export function linkerFlags(kubernetesVersion: string = releases.kubernetes): string {
  const version = 'k8s.io/component-base/version';
  const [major, minor] = kubernetesVersion.split('.');
  const values = { gitVersion: `v${kubernetesVersion}`, gitMajor: major, gitMinor: minor };
  return ['-s', '-w', ...Object.entries(values).map(([name, value]) => `-X ${version}.${name}=${value}`)].join(' ');
}

async function download(directory: string, module: string): Promise<z.infer<typeof downloadedModule>> {
  return downloadedModule.parse(JSON.parse(await runGo(directory, ['mod', 'download', '-json', module])));
}

/** Modules which Kubernetes' own go.mod replaces by folders of its repository; outside of it their releases take that place. */
function stagingModules(kubernetesGoModule: string): string[] {
  return [...kubernetesGoModule.matchAll(/^\s*(?:replace\s+)?(k8s\.io\/\S+)\s+=>\s+\.\/staging\//gm)].flatMap(
    ([, name]) => (name === undefined ? [] : [name]),
  );
}

function replacements(staging: readonly string[], kubernetesVersion: string): string[] {
  return staging.map((name) => `replace ${name} => ${name} v0.${kubernetesVersion.slice('1.'.length)}`);
}

function goModule(staging: readonly string[]): string {
  return [
    'module testassets',
    'go 1.25.0',
    'godebug default=go1.25',
    ...Object.values(tools).map((name) => `tool ${name}`),
    `require ${kubernetes} v${releases.kubernetes}`,
    `require ${clusterApi} v${releases.clusterApi}`,
    `require ${etcd} v${releases.etcd}`,
    ...replacements(staging, releases.kubernetes),
    '',
  ].join('\n');
}
