import { cp, readdir, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../env/run-command.ts';
import type { ShimPackages } from './shim-packages.ts';

export const shimSource = fileURLToPath(new URL('../../shim', import.meta.url));

/** Made by tools beside the sources. */
const leftOut = /^(build|dist|__pycache__|\..*|.*\.egg-info)$/;

/**
 * Builds the shim's wheel without a package index, from a copy, since a build writes beside its sources.
 * @param folder of the run; gets both
 * @returns path of the wheel
 * @throws {CommandError} with what the build complained about
 */
export async function buildWheel(folder: string, { python, wheels }: ShimPackages): Promise<string> {
  const source = join(folder, 'source');
  const target = join(folder, 'wheel');
  await cp(shimSource, source, { recursive: true, filter: (path) => !leftOut.test(basename(path)) });
  const offline = ['--no-index', '--find-links', wheels, '--no-deps', '--quiet', '--disable-pip-version-check'];
  await runCommand(python, ['-m', 'pip', 'wheel', ...offline, '--wheel-dir', target, source]);
  const [wheel] = await readdir(target);
  if (wheel === undefined) throw new Error('The build made no wheel.');
  return join(target, wheel);
}

/**
 * Copies the shim's tests to a folder where only the installed shim can be imported, beside what they read of the repository.
 * @returns the folder with pytest's settings
 */
export async function copyTests(folder: string): Promise<string> {
  const target = join(folder, 'shim');
  const filter = (path: string) => !leftOut.test(basename(path));
  await cp(join(shimSource, 'tests'), join(target, 'tests'), { recursive: true, filter });
  await cp(join(shimSource, 'pyproject.toml'), join(target, 'pyproject.toml'));
  for (const read of ['docs', 'examples']) await symlink(join(shimSource, '..', read), join(folder, read));
  return target;
}
