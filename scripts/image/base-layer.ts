import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Architecture } from './architecture.ts';
import { fetchDebianPackages } from './debian-packages.ts';
import { folderEntries, readEntry } from './folder-entries.ts';
import { ImageError } from './image-error.ts';
import type { LockedParts } from './package-lock.ts';
import type { Progress } from './progress.ts';
import { runProgram } from './run-program.ts';
import type { TarEntry } from './tar.ts';

/** Id of the user and of the group that the image runs as; the number is that of the "nonroot" of other minimal images. */
export const nonRootId = 65_532;

/** What a program finds on each system. Nobody can log in, and no user owns a file. */
const accounts = {
  'etc/passwd': `root:x:0:0:root:/:/sbin/nologin\nnonroot:x:${nonRootId}:${nonRootId}:nonroot:/:/sbin/nologin\n`,
  'etc/group': `root:x:0:\nnonroot:x:${nonRootId}:\n`,
  // As glibc looks names up when nothing is said, but said: a missing file is asked for at each look.
  'etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
} as const;

/** Where a container runtime mounts what it brings. */
const mountPoints = ['dev', 'etc/ssl', 'proc', 'run', 'sys'];

/** Shared libraries that Node's binary asks for, with what these ask for (DT_NEEDED), by package. */
function libraries({ libraries: folder, loader }: Architecture): Readonly<Record<string, readonly string[]>> {
  const [lib, usrLib] = [`lib/${folder}`, `usr/lib/${folder}`];
  const ofC = ['libc.so.6', 'libdl.so.2', 'libm.so.6', 'libpthread.so.0', 'libresolv.so.2', 'librt.so.1'];
  return {
    libc6: [loader, `${lib}/${loader.slice(loader.lastIndexOf('/') + 1)}`, ...ofC.map((name) => `${lib}/${name}`)],
    'libgcc-s1': [`${lib}/libgcc_s.so.1`],
    'libstdc++6': [`${usrLib}/libstdc++.so.6`],
    'base-files': ['usr/lib/os-release', 'etc/os-release'],
  };
}

/** A package and where its .deb file is. */
interface FetchedPackage {
  readonly name: string;
  readonly path: string;
}

/**
 * The base: C and C++ libraries, certificate authorities, the accounts, and for scanners what the packages are. There is no shell,
 * no package manager, and no time zone, for all is in UTC.
 * @throws {ImageError} where the packages are not to be had
 */
export async function debianBase(
  { packages }: LockedParts,
  architecture: Architecture,
  progress: Progress,
): Promise<readonly TarEntry[]> {
  const paths = await fetchDebianPackages(packages, progress);
  const fetched = packages.map(({ name }, index) => ({ name, path: paths[index] ?? '' }));
  const work = await mkdtemp(join(tmpdir(), 'magnum-image-base-'));
  try {
    const entries: TarEntry[] = [];
    for (const { name, path } of fetched) {
      const folder = join(work, name);
      await runProgram('dpkg-deb', ['--extract', path, folder]);
      const files = libraries(architecture)[name] ?? [];
      for (const file of files) entries.push(...(await libraryEntries(folder, file)));
      entries.push(...(await described({ name, path }, folder)));
      if (name === 'ca-certificates') entries.push(await authorities(folder));
    }
    return [...withoutDoubles(entries), ...accountEntries(), ...mountPoints.map(directory)];
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * A root file system of somebody's own as the base, as it is; but everything is root's, and nothing setuid or writable by others.
 * @throws {ImageError} where Node could not be started in it
 */
export async function ownBase(folder: string, { loader }: Architecture): Promise<readonly TarEntry[]> {
  const entries = await folderEntries(folder).catch((cause) => {
    throw new ImageError(`${folder} cannot be read as the root file system of the image.`, { cause });
  });
  // Where lib64 is a link to a folder of usr, the loader is found there.
  const name = loader.slice(loader.lastIndexOf('/'));
  if (entries.some(({ path }) => path.endsWith(name))) return entries;
  throw new ImageError(`${folder} has no /${loader}, which Node needs, with the libraries of C and C++.`);
}

/** A file, or a link with what it points to in the same folder. */
async function libraryEntries(folder: string, path: string): Promise<readonly TarEntry[]> {
  const entry = await readEntry(folder, path);
  if (entry.kind !== 'link' || entry.target.startsWith('/') || entry.target.startsWith('..')) return [entry];
  return [entry, await readEntry(folder, `${path.slice(0, path.lastIndexOf('/'))}/${entry.target}`)];
}

/** The licence of a package, and its control file where scanners look for packages of images without dpkg. */
async function described({ name, path }: FetchedPackage, folder: string): Promise<readonly TarEntry[]> {
  const control = await runProgram('dpkg-deb', ['--field', path]);
  const status: TarEntry = { path: `var/lib/dpkg/status.d/${name}`, kind: 'file', content: control };
  const documents = `usr/share/doc/${name}`;
  const copyright = await readEntry(folder, `${documents}/copyright`).catch(() => readEntry(folder, documents));
  return [status, copyright];
}

/** One file of all certificates, as update-ca-certificates makes it. */
async function authorities(folder: string): Promise<TarEntry> {
  const source = join(folder, 'usr/share/ca-certificates/mozilla');
  const names = (await readdir(source)).toSorted();
  const certificates = await Promise.all(names.map((name) => readFile(join(source, name), 'utf8')));
  const content = Buffer.from(certificates.map((one) => `${one.trimEnd()}\n`).join(''));
  return { path: 'etc/ssl/certs/ca-certificates.crt', kind: 'file', content };
}

function accountEntries(): readonly TarEntry[] {
  return Object.entries(accounts).map(([path, text]) => ({ path, kind: 'file', content: Buffer.from(text) }));
}

function directory(path: string): TarEntry {
  return { path, kind: 'directory' };
}

function withoutDoubles(entries: readonly TarEntry[]): readonly TarEntry[] {
  return [...new Map(entries.map((entry) => [entry.path, entry])).values()];
}
