import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { unlessPresent } from './asset-build.ts';
import { exists } from './assets.ts';
import { withBuildLock } from './build-lock.ts';

/**
 * Fills a folder unless it is there. It appears in its place whole or not at all, and several processes may ask at once.
 * @param fill gets an empty folder, which is moved when it is full
 */
export async function cachedFolder(folder: string, fill: (work: string) => Promise<void>): Promise<void> {
  if (await exists(folder)) return;
  await mkdir(dirname(folder), { recursive: true });
  await withBuildLock(`${folder}.building`, async () => {
    if (!(await exists(folder))) await fillAndMove(folder, fill);
  });
}

async function fillAndMove(folder: string, fill: (work: string) => Promise<void>): Promise<void> {
  await removeRemains(folder);
  const work = await mkdtemp(`${folder}.work-`);
  try {
    await fill(work);
    await rename(work, folder).catch(unlessPresent);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** What a process that was killed left behind. */
async function removeRemains(folder: string): Promise<void> {
  const root = dirname(folder);
  const remains = (await readdir(root)).filter((name) => name.startsWith(`${basename(folder)}.work-`));
  await Promise.all(remains.map((name) => rm(join(root, name), { recursive: true, force: true })));
}
