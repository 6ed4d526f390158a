import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheRoot } from '../../scripts/cache-root.ts';
import { exists } from '../env/assets.ts';
import { cachedFolder } from '../env/cached-folder.ts';
import { requireGo, runGo } from '../env/go-toolchain.ts';

const module = 'sigs.k8s.io/kustomize/kustomize/v5';
const version = '5.7.1';

export interface BuiltKustomizeOptions {
  /** Read for TEST_ASSETS_DIR and XDG_CACHE_HOME. @default process.env */
  readonly environment?: NodeJS.ProcessEnv;
  /** @default to standard error */
  readonly onProgress?: (line: string) => void;
}

/**
 * Path of a kustomize: in TEST_ASSETS_DIR, else in the cache, where it is built with Go the first time.
 * @throws {AssetError} when it is missing and cannot be built.
 */
export async function builtKustomize(options: BuiltKustomizeOptions = {}): Promise<string> {
  const { environment = process.env, onProgress = (line) => process.stderr.write(`${line}\n`) } = options;
  const own = environment['TEST_ASSETS_DIR'];
  if (own && (await exists(join(own, 'kustomize')))) return join(own, 'kustomize');
  const folder = join(cacheRoot(environment), `kustomize-${version}-${process.platform}-${process.arch}`);
  await cachedFolder(folder, async (work) => {
    const began = performance.now();
    onProgress('building kustomize, the first time takes a minute ...');
    await requireGo(work);
    await writeFile(
      join(work, 'go.mod'),
      `module testassets\ngo 1.25.0\ntool ${module}\nrequire ${module} v${version}\n`,
    );
    await runGo(work, ['mod', 'tidy']);
    await runGo(work, ['build', '-trimpath', '-ldflags', '-s -w', '-o', join(work, 'kustomize'), module]);
    onProgress(`building kustomize done in ${Math.round((performance.now() - began) / 1000)} s`);
  });
  return join(folder, 'kustomize');
}
