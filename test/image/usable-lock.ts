import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { cacheRoot } from '../../scripts/cache-root.ts';
import { ownArchitecture } from '../../scripts/image/architecture.ts';
import { fetchDebianPackages } from '../../scripts/image/debian-packages.ts';
import { ImageError } from '../../scripts/image/image-error.ts';
import { projectLock, readPackageLock } from '../../scripts/image/package-lock.ts';
import { updatePackageLock } from '../../scripts/image/update-package-lock.ts';

/** Why tests of the image may be left out. */
export const needsPackages = 'needs Linux with the apt of Debian 12';

const progress = (line: string) => void process.stderr.write(`${line}\n`);

/**
 * A lock whose packages are to be had: the project's; once Debian has put newer ones in their place, a temporary one with those, since a
 * test is about the image and not about the day.
 * @returns undefined where there are none
 */
export async function usableLock(): Promise<string | undefined> {
  if (await canBeHad(projectLock)) return projectLock;
  const lock = join(cacheRoot(process.env), `packages-of-today-${process.pid}.lock.json`);
  afterAll(() => rm(lock, { force: true }));
  const isLocked = await succeeds(async () => updatePackageLock({ architecture: ownArchitecture(), lock, progress }));
  return isLocked && (await canBeHad(lock)) ? lock : undefined;
}

function canBeHad(lock: string): Promise<boolean> {
  return succeeds(async () => {
    const { packages } = await readPackageLock(ownArchitecture(), lock);
    await fetchDebianPackages(packages, progress);
  });
}

async function succeeds(attempt: () => Promise<void>): Promise<boolean> {
  try {
    await attempt();
    return true;
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    progress(error.message);
    return false;
  }
}
