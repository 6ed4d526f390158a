import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheRoot } from '../cache-root.ts';
import { openApt, ownDistribution } from './apt.ts';
import { ImageError } from './image-error.ts';
import type { DebianPackage, LockedParts } from './package-lock.ts';
import type { Progress } from './progress.ts';

/** What the base of the image is made of. gcc-12-base has the copyright of libgcc-s1 and libstdc++6. */
export const debianPackageNames = ['base-files', 'ca-certificates', 'gcc-12-base', 'libc6', 'libgcc-s1', 'libstdc++6'];

/** The distribution that has these packages, with their files where base-layer.ts takes them from. */
const required: LockedParts['distribution'] = { id: 'debian', version: '12' };

/** @throws {ImageError} where this machine's apt has the packages of another distribution */
export async function requireDistribution(): Promise<LockedParts['distribution']> {
  const { id, version } = await ownDistribution();
  if (id === required.id && version === required.version) return required;
  throw new ImageError(
    `The image's libraries are Debian 12's, which apt of this machine (${id || 'no Linux with a name'} ${version}) does not have. ` +
      'Build in a container of Debian 12, as Containerfile does, or name a root file system of your own by "--base <folder>".',
  );
}

/**
 * Fetches the packages that the cache lacks, and checks each against its sha256, cached or not.
 * @returns the .deb files' paths in the order of the packages
 * @throws {ImageError} where one is not to be had or is another
 */
export async function fetchDebianPackages(
  packages: readonly DebianPackage[],
  progress: Progress,
): Promise<readonly string[]> {
  const folder = join(cacheRoot(process.env), 'debian-packages');
  await mkdir(folder, { recursive: true });
  const paths = packages.map(({ sha256 }) => join(folder, `${sha256}.deb`));
  const intact = await Promise.all(packages.map(async ({ sha256 }, index) => (await hashOf(paths[index])) === sha256));
  const missing = packages.filter((_, index) => intact[index] !== true);
  if (missing.length > 0) await fetchMissing(missing, folder, progress);
  return paths;
}

async function fetchMissing(missing: readonly DebianPackage[], folder: string, progress: Progress): Promise<void> {
  await requireDistribution();
  progress(`fetching ${missing.map(({ name, version }) => `${name} ${version}`).join(', ')} from Debian`);
  const work = await mkdtemp(join(folder, 'work-'));
  try {
    await download(missing, work);
    for (const one of missing) await keep(one, work, folder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function download(missing: readonly DebianPackage[], work: string): Promise<void> {
  try {
    const apt = await openApt(process.env);
    await apt.download(missing, work);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ImageError(
      `The image's libraries are Debian's, in the versions of scripts/image/packages.lock.json, and apt-get does not bring them: ${reason}\n` +
        'Newer ones are locked by "npm run image -- --update-packages"; "--base <folder>" takes a root file system of your own instead.',
      { cause },
    );
  }
}

async function keep({ name, version, sha256 }: DebianPackage, work: string, folder: string): Promise<void> {
  const file = (await readdir(work)).find((one) => one.startsWith(`${name}_`));
  if (file === undefined) throw new ImageError(`apt-get brought no file of ${name} ${version}.`);
  const found = await hashOf(join(work, file));
  if (found !== sha256)
    throw new ImageError(`${name} ${version} is not the locked file: its sha256 is ${found}, not ${sha256}.`);
  await rename(join(work, file), join(folder, `${sha256}.deb`));
}

/** Hex; undefined where there is no such file. */
async function hashOf(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const content = await readFile(path).catch(() => undefined);
  return content && createHash('sha256').update(content).digest('hex');
}
