import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeVirtualEnvironment } from '../env/python-interpreter.ts';
import { runCommand } from '../env/run-command.ts';
import type { ShimPackages } from './shim-packages.ts';

interface CleanEnvironmentOptions {
  /** An empty folder. */
  readonly folder: string;
  readonly packages: ShimPackages;
  /** What is to be installed on top of Magnum: paths of wheels, and names that are among the fetched ones. */
  readonly install: readonly string[];
}

/**
 * Makes a new virtual environment on top of an installed Magnum, which it sees as if it were its own: installing Magnum
 * takes a minute, this takes seconds. pip resolves what is installed, and asks no package index.
 * @returns path of its Python
 * @throws {CommandError} with what pip complained about, as a dependency that is nowhere
 */
export async function cleanEnvironment({ folder, packages, install }: CleanEnvironmentOptions): Promise<string> {
  const python = await makeVirtualEnvironment(folder, { purpose: 'The test of the shim', pip: false });
  const [own, magnum] = await Promise.all([sitePackages(python), sitePackages(packages.python)]);
  await writeFile(join(own, 'magnum.pth'), `import site; site.addsitedir(${JSON.stringify(magnum)})\n`);
  const pip = ['-m', 'pip', '--python', python, 'install', '--quiet', '--disable-pip-version-check'];
  await runCommand(packages.python, [...pip, '--no-index', '--find-links', packages.wheels, ...install]);
  return python;
}

async function sitePackages(python: string): Promise<string> {
  return (await runCommand(python, ['-c', "import sysconfig; print(sysconfig.get_path('purelib'))"])).trim();
}
