import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ImageError } from './image-error.ts';
import type { TarEntry } from './tar.ts';

/**
 * An entry of a file, link or folder. Owner, time and all bits but the executable one are left behind.
 * @param path from the folder, as in the archive
 * @throws {ImageError} for a device, a socket or a pipe
 */
export async function readEntry(folder: string, path: string): Promise<TarEntry> {
  const file = join(folder, path);
  const found = await lstat(file);
  if (found.isSymbolicLink()) return { path, kind: 'link', target: await readlink(file) };
  if (found.isDirectory()) return { path, kind: 'directory' };
  if (!found.isFile()) throw new ImageError(`${file} is no file, link or folder.`);
  return { path, kind: 'file', content: await readFile(file), executable: (found.mode & 0o111) !== 0 };
}

/** Everything below a folder. */
export async function folderEntries(folder: string, under = ''): Promise<readonly TarEntry[]> {
  const names = await readdir(join(folder, under));
  const paths = names.map((name) => (under === '' ? name : `${under}/${name}`));
  const entries: TarEntry[] = [];
  for (const path of paths) {
    const entry = await readEntry(folder, path);
    entries.push(entry, ...(entry.kind === 'directory' ? await folderEntries(folder, path) : []));
  }
  return entries;
}
