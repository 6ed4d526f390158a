import { cp, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonEnvironment } from '../env/python-environment.ts';
import { runCommand } from '../env/run-command.ts';

/** Every package with its version: Magnum, the command line clients, and what the shim needs beside Magnum. */
const pins = new URL('requirements.txt', import.meta.url);
const shimSource = fileURLToPath(new URL('../../shim', import.meta.url));

/** Made by tools beside the sources, and of no use to a build. */
const leftOut = /^(build|dist|tests|__pycache__|\..*|.*\.egg-info)$/;

export interface MagnumEnvironment {
  /** Path of a Python that has Magnum. */
  readonly python: string;
  /** Folder of that Python's environment. */
  readonly folder: string;
  /** Folder with the installed shim, for PYTHONPATH. */
  readonly shim: string;
}

interface MagnumEnvironmentOptions {
  /** Of the run; gets the shim. */
  readonly data: string;
  readonly onProgress: (line: string) => void;
}

/**
 * Finds or makes the environment of Magnum, and installs the shim as it is now for this run alone.
 * @throws {AssetError} in one sentence that says what is missing.
 * @throws {CommandError} where the shim cannot be built.
 */
export async function magnumEnvironment({ data, onProgress }: MagnumEnvironmentOptions): Promise<MagnumEnvironment> {
  const python = await magnumPython(onProgress);
  const shim = join(data, 'shim');
  await installShim(python, { source: join(data, 'shim-source'), target: shim });
  return { python, folder: dirname(dirname(python)), shim };
}

/** Path of a Python that has Magnum and the clients; installed at first use. */
async function magnumPython(onProgress: (line: string) => void): Promise<string> {
  const requirements = (await readFile(pins, 'utf8')).trim().split('\n');
  return pythonEnvironment({ purpose: 'The real Magnum', requirements, onProgress });
}

/** From a copy, since a build writes beside its sources. */
async function installShim(
  python: string,
  { source, target }: { readonly source: string; readonly target: string },
): Promise<void> {
  await cp(shimSource, source, { recursive: true, filter: (path) => !leftOut.test(basename(path)) });
  const alone = ['--no-deps', '--no-build-isolation', '--no-index', '--quiet', '--disable-pip-version-check'];
  await runCommand(python, ['-m', 'pip', 'install', ...alone, '--target', target, source]);
}
