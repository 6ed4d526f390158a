import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { Bundle } from '../build.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** An npm package of which something is in a bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** Of the published archive, as package-lock.json has it. */
  readonly integrity: string;
  /** SPDX expression. */
  readonly license: string;
  /** Names of the bundles that have something of it. */
  readonly bundles: readonly string[];
  /** Its licence files, by name. */
  readonly licenceFiles: ReadonlyMap<string, Buffer>;
}

const packageLock = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), integrity: z.string().optional(), license: z.string().optional() }),
  ),
});

/**
 * What is really inside, by esbuild's account; sorted by name and version. A version that npm installed in several folders is one.
 * @throws Error for a package that package-lock.json does not know
 */
export async function bundledPackages(bundles: readonly Bundle<string>[]): Promise<readonly BundledPackage[]> {
  const { packages } = packageLock.parse(JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')));
  const found = new Map<string, BundledPackage>();
  for (const folder of foldersOf(bundles)) {
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const { version, integrity, license = 'NOASSERTION' } = packages[folder] ?? {};
    if (version === undefined || integrity === undefined) throw new Error(`package-lock.json does not know ${folder}.`);
    const having = bundles.filter(({ inputs }) => inputs.some((input) => packageFolder(input) === folder));
    const others = found.get(`${name}@${version}`)?.bundles ?? [];
    const names = [...new Set([...others, ...having.map((bundle) => bundle.name)])].toSorted();
    const files = await licenceFiles(join(root, folder));
    found.set(`${name}@${version}`, { name, version, integrity, license, bundles: names, licenceFiles: files });
  }
  return [...found].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one);
}

function foldersOf(bundles: readonly Bundle<string>[]): ReadonlySet<string> {
  return new Set(bundles.flatMap(({ inputs }) => inputs.flatMap((input) => packageFolder(input) ?? [])));
}

/** The folder of the package that a file belongs to; undefined for one of the project. */
function packageFolder(path: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}

async function licenceFiles(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const names = (await readdir(folder)).filter((name) => /^(?:licen[cs]e|notice|copying)/i.test(name)).toSorted();
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)));
}
