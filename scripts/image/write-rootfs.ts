import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { LayerContent } from './build-image.ts';
import { ImageError } from './image-error.ts';
import type { TarEntry } from './tar.ts';
import { filesIn } from './write-layout.ts';

/** @throws {ImageError} where something would be mixed with what is there */
export async function checkEmpty(folder: string): Promise<void> {
  if ((await filesIn(folder)).length === 0) return;
  throw new ImageError(`${resolve(folder)} is not empty; --rootfs takes a folder that is, or is not there yet.`);
}

/** Writes what each layer has into <folder>/<name of the layer>; owners are whoever writes them. */
export async function writeRootfs(contents: readonly LayerContent[], folder: string): Promise<void> {
  for (const { name, entries } of contents) {
    for (const entry of entries) await writeEntry(join(folder, name, entry.path), entry);
  }
}

async function writeEntry(path: string, entry: TarEntry): Promise<void> {
  await mkdir(entry.kind === 'directory' ? path : dirname(path), { recursive: true });
  if (entry.kind === 'link') await symlink(entry.target, path);
  if (entry.kind !== 'file') return;
  await writeFile(path, entry.content);
  // Whatever the umask is.
  await chmod(path, entry.executable === true ? 0o755 : 0o644);
}
