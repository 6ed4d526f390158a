import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheRoot } from '../../scripts/cache-root.ts';
import { exists } from '../env/assets.ts';
import { withBuildLock } from '../env/build-lock.ts';
import { requireGo, runGo } from '../env/go-toolchain.ts';

/** The newest that Go 1.25 builds. */
const version = '3.20.2';
const command = 'helm.sh/helm/v3/cmd/helm';

export interface HelmOptions {
  /** Read for XDG_CACHE_HOME. @default process.env */
  readonly environment?: NodeJS.ProcessEnv;
  readonly onProgress: (line: string) => void;
}

/**
 * Path of the folder with the helm program that the original driver renders its charts with; built once, in the project's
 * cache folder. Its Go module is its own: what it requires is none of the control plane's business.
 * @throws {AssetError} when Go is missing, too old, or fails.
 */
export async function helmFolder({ environment = process.env, onProgress }: HelmOptions): Promise<string> {
  const root = cacheRoot(environment);
  const folder = join(root, `helm-${version}-${process.platform}-${process.arch}`);
  const isThere = () => exists(join(folder, 'helm'));
  await mkdir(root, { recursive: true });
  if (await isThere()) return folder;
  await withBuildLock(`${folder}.building`, async () => {
    if (await isThere()) return;
    const work = await mkdtemp(`${folder}.work-`);
    try {
      await build(work, onProgress);
      await mkdir(folder, { recursive: true });
      await rename(join(work, 'helm'), join(folder, 'helm'));
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  });
  return folder;
}

async function build(work: string, onProgress: (line: string) => void): Promise<void> {
  await requireGo(work);
  const began = performance.now();
  onProgress('building helm, the first time takes minutes ...');
  const lines = ['module adoption', 'go 1.25.0', `tool ${command}`, `require helm.sh/helm/v3 v${version}`, ''];
  await writeFile(join(work, 'go.mod'), lines.join('\n'));
  await runGo(work, ['mod', 'tidy']);
  await runGo(work, ['build', '-trimpath', '-ldflags', '-s -w', '-o', 'helm', command]);
  onProgress(`building helm done in ${Math.round((performance.now() - began) / 1000)} s`);
}
