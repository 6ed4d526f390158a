import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { BuiltImage } from './build-image.ts';
import { ImageError } from './image-error.ts';
import { tarOf } from './tar.ts';

/** @throws {ImageError} where a folder has something else than a layout, which then would be lost */
export async function checkTarget(folder: string): Promise<void> {
  const there = await filesIn(folder);
  if (there.length === 0 || there.includes('oci-layout')) return;
  throw new ImageError(
    `${resolve(folder)} has other files than an image, and is left as it is; name another folder with --output.`,
  );
}

/** Nothing where there is no folder. @throws Error of the system where there is a file */
export async function filesIn(folder: string): Promise<readonly string[]> {
  return readdir(resolve(folder)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

/**
 * Writes the layout as a folder, which appears whole or not at all, and its bill of materials beside it.
 * @param folder replaced if it has a layout already
 */
export async function writeLayout({ files, sbomDocument }: BuiltImage, folder: string): Promise<void> {
  const target = resolve(folder);
  await mkdir(dirname(target), { recursive: true });
  const work = await mkdtemp(`${target}.work-`);
  try {
    await mkdir(join(work, 'blobs', 'sha256'), { recursive: true });
    await Promise.all([...files].map(([path, content]) => writeFile(join(work, path), content)));
    // A temporary folder is its owner's alone.
    await chmod(work, 0o755);
    await rm(target, { recursive: true, force: true });
    await rename(work, target);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  await writeFile(sbomPath(target), sbomDocument);
}

/** Where the bill of materials stands beside a layout. */
export function sbomPath(folder: string): string {
  return join(dirname(folder), `${basename(folder)}.sbom.cdx.json`);
}

/** Writes the image as one archive, for what takes archives. */
export async function writeArchive({ archiveFiles }: BuiltImage, path: string): Promise<void> {
  const entries = [...archiveFiles].map(([name, content]) => ({ path: name, kind: 'file', content }) as const);
  await mkdir(dirname(resolve(path)), { recursive: true });
  await writeFile(path, tarOf(entries, 0));
}
