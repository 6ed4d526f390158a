import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beyondLimit, buildBundles, buildDispatcher } from '../build.ts';
import { imageFolder, writeCompileCaches } from './compile-cache.ts';
import { ImageError } from './image-error.ts';
import { nodeBinary } from './node-part.ts';
import { type BundledPackage, bundledPackages } from './npm-packages.ts';
import type { Progress } from './progress.ts';
import type { TarEntry } from './tar.ts';

const licence = fileURLToPath(new URL('../../LICENSE', import.meta.url));

export interface AppParts {
  readonly entries: readonly TarEntry[];
  /** Of which something is in a bundle. */
  readonly npmPackages: readonly BundledPackage[];
}

/**
 * What changes with each release: the bundles with their compile caches, and the licences of all that is inside them.
 * @throws {ImageError} where a bundle has become too large
 */
export async function appParts(progress: Progress): Promise<AppParts> {
  const work = await mkdtemp(join(tmpdir(), 'magnum-image-app-'));
  try {
    progress('bundling');
    const bundles = await buildBundles(work);
    const [complaint] = beyondLimit(bundles);
    if (complaint !== undefined) throw new ImageError(complaint);
    await buildDispatcher(work);
    progress('compiling');
    await writeCompileCaches({ folder: work, node: nodeBinary });
    const npmPackages = await bundledPackages(bundles);
    return { entries: [...(await bundleEntriesOf(work)), ...(await licences(npmPackages))], npmPackages };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function bundleEntriesOf(folder: string): Promise<readonly TarEntry[]> {
  const names = (await readdir(folder)).toSorted();
  return Promise.all(names.map(async (name) => fileEntry(name, await readFile(join(folder, name)))));
}

async function licences(packages: readonly BundledPackage[]): Promise<readonly TarEntry[]> {
  const ofPackages = packages.flatMap(({ name, version, licenceFiles }) =>
    [...licenceFiles].map(([file, content]) => fileEntry(`licences/${name}@${version}/${file}`, content)),
  );
  return [fileEntry('LICENSE', await readFile(licence)), ...ofPackages];
}

function fileEntry(name: string, content: Uint8Array): TarEntry {
  return { path: `${imageFolder.slice(1)}/${name}`, kind: 'file', content };
}
