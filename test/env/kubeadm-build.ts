import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { kubeadmPackage, linkerFlags, writeKubeadmModule } from './go-module.ts';
import { runGo } from './go-toolchain.ts';
import type { AssetName, KubeadmName } from './parts.ts';

const prefix = 'kubeadm-';

export function isKubeadm(name: AssetName): name is KubeadmName {
  return name.startsWith(prefix);
}

/** @param work Folder that gets a folder for the module. */
export async function buildKubeadm(work: string, name: KubeadmName, output: string): Promise<void> {
  const version = name.slice(prefix.length);
  const directory = join(work, `module-of-${name}`);
  await mkdir(directory);
  await writeKubeadmModule(directory, version);
  const flags = ['-trimpath', '-mod=mod', '-ldflags', linkerFlags(version)];
  await runGo(directory, ['build', ...flags, '-o', output, kubeadmPackage]);
}
