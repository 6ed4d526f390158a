import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { Architecture } from './architecture.ts';
import { ImageError } from './image-error.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const debianPackage = z.object({
  name: z.string(),
  /** With the epoch, as dpkg writes it. */
  version: z.string(),
  /** Hex, of the .deb file. */
  sha256,
});

const lockedParts = z.object({
  /** As os-release has it, e.g. debian and 12. */
  distribution: z.object({ id: z.string(), version: z.string() }),
  packages: z.array(debianPackage).readonly(),
  node: z.object({
    version: z.string(),
    /** Hex, of the binary. */
    sha256,
    /** Of the npm package with the binary, as a package-lock.json has it. */
    integrity: z.string().startsWith('sha512-'),
  }),
});

const packageLock = z.partialRecord(z.enum(['amd64', 'arm64']), lockedParts);

export type DebianPackage = z.output<typeof debianPackage>;
/** What the image gets that is not this project's, exactly, for one architecture. */
export type LockedParts = z.output<typeof lockedParts>;

/** The lock that is part of the project. */
export const projectLock = fileURLToPath(new URL('packages.lock.json', import.meta.url));

/** @throws {ImageError} where nothing is locked for the architecture */
export async function readPackageLock({ name }: Architecture, file = projectLock): Promise<LockedParts> {
  const parts = (await readAll(file))[name];
  if (parts !== undefined) return parts;
  throw new ImageError(`${file} has no packages for ${name} yet; "npm run image -- --update-packages" locks them.`);
}

/** Replaces what is locked for one architecture. */
export async function writePackageLock({ name }: Architecture, parts: LockedParts, file = projectLock): Promise<void> {
  await writeFile(file, `${JSON.stringify({ ...(await readAll(file)), [name]: parts }, null, 2)}\n`);
}

/** Nothing is locked in a file that is not there. @throws {ImageError} for a file that is no lock */
async function readAll(file: string): Promise<z.output<typeof packageLock>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  try {
    return packageLock.parse(JSON.parse(text));
  } catch (cause) {
    throw new ImageError(`${file} is no lock of packages as "npm run image -- --update-packages" writes it.`, {
      cause,
    });
  }
}
