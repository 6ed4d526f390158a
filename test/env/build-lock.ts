import { mkdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const heartbeat = 2_000;
/** A holder that missed this many milliseconds is dead: its clock of 2 s never slips that far, even on a busy machine. */
const staleAfter = 30_000;
const pollInterval = 500;

/**
 * Runs `work` while no other process holds the same lock. It only saves double work: what it guards must be safe without it.
 * @param path Folder that stands for the lock; its parent must exist.
 */
export async function withBuildLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  while (!(await take(path))) {
    await breakIfStale(path);
    await delay(pollInterval);
  }
  const beat = setInterval(() => touch(path), heartbeat);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    await rm(path, { recursive: true, force: true });
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      return false;
    }
    throw error;
  }
}

async function breakIfStale(path: string): Promise<void> {
  const held = await stat(path).catch(() => undefined);
  if (held === undefined || Date.now() - held.mtimeMs < staleAfter) {
    return;
  }
  // Renamed first: of several that wait, one alone succeeds, and none removes a lock taken since.
  const grave = `${path}.${process.pid}`;
  await rename(path, grave).catch(() => undefined);
  await rm(grave, { recursive: true, force: true });
}

function touch(path: string): void {
  const now = new Date();
  utimes(path, now, now).catch(() => undefined);
}
