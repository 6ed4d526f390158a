import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { load } from 'js-yaml';
import * as z from 'zod';
import { resolveAssets } from '../env/assets.ts';
import type { KubeadmName, kubeadmVersions } from '../env/parts.ts';
import { runCommand } from '../env/run-command.ts';
import type { MachineData } from './machine-data.ts';

export type KubeadmVersion = (typeof kubeadmVersions)[number];

/** Where Cluster API puts kubeadm's configuration: for init, for join, and for both with Ignition. */
const configurationPaths = ['/run/kubeadm/kubeadm.yaml', '/run/kubeadm/kubeadm-join-config.yaml', '/etc/kubeadm.yml'];
const kubeProxyScript = '/etc/kubernetes/configure-kube-proxy.sh';

const pod = z.object({ spec: z.object({ containers: z.tuple([z.object({ command: z.array(z.string()) })]) }) });

/** The configuration as kubeadm finds it: the machine has put its name in, and the script for kube-proxy has run. */
export async function machineConfiguration({ files }: MachineData): Promise<string> {
  const path = configurationPaths.find((one) => files.has(one)) ?? '';
  const configuration = files.get(path)?.content ?? '';
  const named = configuration
    .replace('{{ local_hostname }}', 'kube-abcde-x')
    .replace('__REPLACE_NODE_NAME__', 'kube-abcde-x');
  return inFolder(async (directory) => {
    const here = (text: string) =>
      text.replaceAll('/run/', `${directory}/run/`).replaceAll('/etc/', `${directory}/etc/`);
    await mkdir(join(directory, 'etc'));
    await mkdir(join(directory, 'run', 'kubeadm'), { recursive: true });
    await writeFile(here(path), named);
    const script = files.get(kubeProxyScript)?.content ?? '';
    await promisify(execFile)('sh', ['-c', here(script)]);
    return readFile(here(path), 'utf8');
  });
}

/** @throws CommandError with what kubeadm complains about. */
export async function validateConfiguration(version: KubeadmVersion, configuration: string): Promise<void> {
  await inFolder((directory) => kubeadm(version, ['config', 'validate'], { directory, configuration }));
}

/** The command line that kubeadm writes into the manifest of the API server's static Pod. */
export async function apiServerCommand(version: KubeadmVersion, configuration: string): Promise<readonly string[]> {
  const phase = ['init', 'phase', 'control-plane', 'apiserver', '--dry-run'];
  return inFolder(async (directory) => {
    const patches = join(directory, 'patches');
    await mkdir(patches);
    const here = configuration.replace(/^( *directory: ).*$/m, `$1${patches}`);
    await kubeadm(version, phase, { directory, configuration: here });
    const manifest = (await readdir(directory, { recursive: true })).find((path) =>
      path.endsWith('kube-apiserver.yaml'),
    );
    return pod.parse(load(await readFile(join(directory, manifest ?? ''), 'utf8'))).spec.containers[0].command;
  });
}

interface Run {
  readonly directory: string;
  readonly configuration: string;
}

async function kubeadm(version: KubeadmVersion, args: readonly string[], { directory, configuration }: Run) {
  const name: KubeadmName = `kubeadm-${version}`;
  const program = (await resolveAssets({ names: [name] })).get(name) ?? '';
  const config = join(directory, 'kubeadm.yaml');
  await writeFile(config, configuration);
  const environment = { ...process.env, KUBEADM_INIT_DRYRUN_DIR: directory };
  await runCommand(program, [...args, '--config', config], { environment });
}

async function inFolder<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'kubeadm-test-'));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}
