import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { cacheRoot } from '../cache-root.ts';
import type { Architecture } from './architecture.ts';
import { ImageError } from './image-error.ts';
import type { LockedParts } from './package-lock.ts';
import type { Progress } from './progress.ts';
import { runProgram } from './run-program.ts';

const npmFolder = fileURLToPath(new URL('../../node_modules/node/', import.meta.url));

/** Node as npm installed it: the image runs what the tests ran on. */
export const nodeBinary = join(npmFolder, 'bin', 'node');

type LockedNode = LockedParts['node'];

const packageJson = z.object({ version: z.string() });
const installed = z.object({ packages: z.record(z.string(), z.object({ integrity: z.string().optional() })) });

/** What is installed, to be locked: npm's own lock knows the package `node` alone, which installs another one with the binary. */
export async function installedNode({ nodePackage }: Architecture): Promise<LockedNode> {
  const { version } = packageJson.parse(JSON.parse(await readFile(join(npmFolder, 'package.json'), 'utf8')));
  const inside = await readFile(join(npmFolder, 'node_modules', '.package-lock.json'), 'utf8');
  const { integrity } = installed.parse(JSON.parse(inside)).packages[`node_modules/${nodePackage}`] ?? {};
  if (integrity === undefined) throw new ImageError(`npm did not install ${nodePackage}; run "npm ci".`);
  return { version, integrity, sha256: hexOf(await readFile(nodeBinary)) };
}

/** @throws {ImageError} where the installed binary is not the locked one */
export async function lockedNodeBinary({ version, sha256 }: LockedNode): Promise<Buffer> {
  const content = await readFile(nodeBinary).catch((cause) => {
    throw new ImageError('Node is not installed in node_modules; run "npm ci".', { cause });
  });
  if (hexOf(content) === sha256) return content;
  throw new ImageError(
    `node_modules/node is not Node ${version} of scripts/image/packages.lock.json. "npm ci" installs it anew; ` +
      'after a change of the version, "npm run image -- --update-packages" locks it.',
  );
}

const versions = z.record(z.string(), z.string());

/** What is inside the binary, as it says itself. */
export async function nodeVersions(): Promise<Readonly<Record<string, string>>> {
  const output = await runProgram(nodeBinary, ['--print', 'JSON.stringify(process.versions)']);
  return versions.parse(JSON.parse(output.toString()));
}

/**
 * Node's licence with those of all that it contains; npm installs the binary without it.
 * @throws {ImageError} where the npm package is not to be had or is another
 */
export async function nodeLicence(
  locked: LockedNode,
  { nodePackage }: Architecture,
  progress: Progress,
): Promise<Buffer> {
  const folder = join(cacheRoot(process.env), 'node-licences');
  const cached = join(folder, hexOf(Buffer.from(locked.integrity)));
  const known = await readFile(cached).catch(() => undefined);
  if (known !== undefined) return known;
  progress(`fetching the licence of Node ${locked.version}`);
  await mkdir(folder, { recursive: true });
  const work = await mkdtemp(join(folder, 'work-'));
  try {
    await fetchNpmPackage(`${nodePackage}@${locked.version}`, work);
    const [archive = ''] = await readdir(work);
    checkIntegrity(await readFile(join(work, archive)), locked);
    const licence = await runProgram('tar', ['--extract', '--to-stdout', '--file', archive, 'package/LICENSE'], {
      folder: work,
    });
    await writeFile(join(work, 'LICENSE'), licence);
    await rename(join(work, 'LICENSE'), cached);
    return licence;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function fetchNpmPackage(name: string, folder: string): Promise<void> {
  await runProgram('npm', ['pack', '--silent', '--fetch-retry-maxtimeout', '10000', name], { folder }).catch(
    (cause) => {
      throw new ImageError(
        `npm does not bring ${name}, which has the licence of Node; "npm view ${name}" says whether it reaches its registry.`,
        { cause },
      );
    },
  );
}

function checkIntegrity(archive: Buffer, { version, integrity }: LockedNode): void {
  const found = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  if (found !== integrity) throw new ImageError(`The npm package of Node ${version} is not the locked one.`);
}

function hexOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
