import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assetFile, kubeletSource } from './asset-file.ts';
import { withBuildLock } from './build-lock.ts';
import { downloadClusterApi, goPackages, kubeletPackage, linkerFlags, writeGoModule } from './go-module.ts';
import { requireGo, runGo } from './go-toolchain.ts';
import { buildKubeadm, isKubeadm } from './kubeadm-build.ts';
import { type AssetName, type ManagerName, managerNames } from './parts.ts';

/** Where Cluster API's sources keep the manifests of each manager. */
const manifestFolders: Readonly<Record<ManagerName, string>> = {
  'capi-core': 'config',
  cabpk: 'bootstrap/kubeadm/config',
  kcp: 'controlplane/kubeadm/config',
};

interface BuildOptions {
  /** Folder that gets the assets; it must exist. */
  readonly target: string;
  /** Names which of the assets are still missing; asked again when another process has built meanwhile. */
  readonly missing: () => Promise<readonly AssetName[]>;
  readonly onProgress: (line: string) => void;
}

/**
 * Builds the missing assets with Go. Each appears in the target whole or not at all.
 * @throws {AssetError} when Go is missing, too old, or fails.
 */
export async function buildAssets(options: BuildOptions): Promise<void> {
  await withBuildLock(join(options.target, 'building'), async () => {
    const missing = await options.missing();
    if (missing.length === 0) {
      return;
    }
    await removeRemains(options.target);
    const work = await mkdtemp(join(options.target, 'work-'));
    try {
      await buildMissing(work, missing, options);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  });
}

async function buildMissing(work: string, missing: readonly AssetName[], options: BuildOptions): Promise<void> {
  await requireGo(work);
  if (!missing.every(isKubeadm)) {
    options.onProgress('downloading the Go modules of the test control plane');
    await mkdir(join(work, kubeletPackage));
    await copyFile(fileURLToPath(kubeletSource), join(work, kubeletPackage, 'main.go'));
    await writeGoModule(work);
  }
  for (const [index, name] of missing.entries()) {
    const began = performance.now();
    const position = `${index + 1}/${missing.length}`;
    options.onProgress(`building ${name} (${position}), the first time takes minutes ...`);
    const built = await buildAsset(work, name);
    await rename(built, join(options.target, await assetFile(name))).catch(unlessPresent);
    options.onProgress(`building ${name} (${position}) done in ${Math.round((performance.now() - began) / 1000)} s`);
  }
}

/** Returns where the asset stands. */
async function buildAsset(work: string, name: AssetName): Promise<string> {
  const built = join(work, name);
  if (isKubeadm(name)) {
    await buildKubeadm(work, name, built);
  } else if (name === 'cluster-api') {
    await copyManifests(work, built);
  } else {
    await runGo(work, ['build', '-trimpath', '-ldflags', linkerFlags(), '-o', built, goPackages[name]]);
  }
  return built;
}

async function copyManifests(work: string, target: string): Promise<void> {
  const sources = await downloadClusterApi(work);
  await mkdir(join(target, 'crds'), { recursive: true });
  await mkdir(join(target, 'webhooks'));
  for (const manager of managerNames) {
    const folder = join(sources, manifestFolders[manager]);
    await copyFile(join(folder, 'webhook', 'manifests.yaml'), join(target, 'webhooks', `${manager}.yaml`));
    for (const file of await readdir(join(folder, 'crd', 'bases'))) {
      await copyFile(join(folder, 'crd', 'bases', file), join(target, 'crds', file));
    }
  }
}

/** The module cache is read-only; a copy of its bytes is not. */
async function copyFile(from: string, to: string): Promise<void> {
  await writeFile(to, await readFile(from));
}

/** What a builder that was killed left behind. */
async function removeRemains(target: string): Promise<void> {
  const remains = (await readdir(target)).filter((name) => name.startsWith('work-'));
  await Promise.all(remains.map((name) => rm(join(target, name), { recursive: true, force: true })));
}

/** A folder that is there already came from another builder and is the same. */
export function unlessPresent(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && (error.code === 'ENOTEMPTY' || error.code === 'EEXIST'))) {
    throw error;
  }
}
