import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { runGo } from './go-toolchain.ts';
import { type AssetName, releases } from './parts.ts';

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

export const goPackages: Readonly<Record<Exclude<AssetName, 'cluster-api'>, string>> = {
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

/** Without a version in the binary, kube-apiserver calls itself v0.0.0 and clients misjudge it. */
export function linkerFlags(): string {
  const version = 'k8s.io/component-base/version';
  const [major, minor] = releases.kubernetes.split('.');
  const values = { gitVersion: `v${releases.kubernetes}`, gitMajor: major, gitMinor: minor };
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

function goModule(staging: readonly string[]): string {
  const stagingVersion = `v0.${releases.kubernetes.slice('1.'.length)}`;
  return [
    'module testassets',
    'go 1.25.0',
    'godebug default=go1.25',
    ...Object.values(tools).map((name) => `tool ${name}`),
    `require ${kubernetes} v${releases.kubernetes}`,
    `require ${clusterApi} v${releases.clusterApi}`,
    `require ${etcd} v${releases.etcd}`,
    ...staging.map((name) => `replace ${name} => ${name} ${stagingVersion}`),
    '',
  ].join('\n');
}
