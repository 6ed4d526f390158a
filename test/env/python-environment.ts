import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheRoot } from '../../scripts/cache-root.ts';
import { cachedFolder } from './cached-folder.ts';
import { AssetError } from './go-toolchain.ts';
import { makeVirtualEnvironment, messageOf, pythonVersion } from './python-interpreter.ts';
import { runCommand } from './run-command.ts';

export interface PythonEnvironmentOptions {
  /** What needs it, as `The real Keystone`; begins the sentence of an error. */
  readonly purpose: string;
  /** Every package with its version, as `keystone==30.0.0`; the first one names the folder. */
  readonly requirements: readonly string[];
  /** Read for XDG_CACHE_HOME. @default process.env */
  readonly environment?: NodeJS.ProcessEnv;
  readonly onProgress?: (line: string) => void;
}

/**
 * Path of a Python that has the packages; made once, in the project's cache folder. Several processes may ask at once.
 * @throws {AssetError} in one sentence that says what to install.
 */
export async function pythonEnvironment(options: PythonEnvironmentOptions): Promise<string> {
  const folder = await packagesFolder(options);
  // Its Python finds itself again after the move.
  await cachedFolder(folder, (work) => makeOf(options, 'environment', () => install(work, options)));
  return join(folder, 'bin', 'python');
}

/**
 * Folder with a wheel of each package, for installations that ask no package index; made once, beside the environments.
 * @throws {AssetError} in one sentence that says what to install.
 */
export async function pythonWheels(options: PythonEnvironmentOptions): Promise<string> {
  const folder = join(await packagesFolder(options, 'wheels-'), 'wheels');
  await cachedFolder(join(folder, '..'), (work) => makeOf(options, 'folder of wheels', () => download(work, options)));
  return folder;
}

/** Another version of Python or of any package has another folder. */
async function packagesFolder(
  { purpose, requirements, environment = process.env }: PythonEnvironmentOptions,
  prefix = '',
): Promise<string> {
  const version = await pythonVersion(purpose);
  const first = requirements[0]?.replace('==', '-') ?? 'empty';
  const all = createHash('sha256').update(requirements.join('\n')).digest('hex').slice(0, 8);
  const name = `${prefix}${first}-${all}-python-${version}-${process.platform}-${process.arch}`;
  return join(cacheRoot(environment), name);
}

async function makeOf(options: PythonEnvironmentOptions, what: string, make: () => Promise<void>): Promise<void> {
  const { requirements, onProgress = () => undefined } = options;
  const began = performance.now();
  onProgress(`making a Python ${what} with ${requirements[0]}, the first time takes a minute ...`);
  await make();
  onProgress(`making it is done in ${Math.round((performance.now() - began) / 1000)} s`);
}

async function install(folder: string, { purpose, requirements }: PythonEnvironmentOptions): Promise<void> {
  const python = await makeVirtualEnvironment(folder, { purpose });
  await runPip(python, ['install'], { purpose, requirements });
}

/** Another environment's pip would do, but there may be none, and a Debian's Python has no pip of its own. */
async function download(folder: string, { purpose, requirements }: PythonEnvironmentOptions): Promise<void> {
  const own = join(folder, 'pip');
  const python = await makeVirtualEnvironment(own, { purpose });
  const command = ['download', '--no-deps', '--only-binary', ':all:', '--dest', join(folder, 'wheels')];
  await runPip(python, command, { purpose, requirements });
  await rm(own, { recursive: true });
}

async function runPip(
  python: string,
  [command = '', ...options]: readonly string[],
  { purpose, requirements }: Pick<PythonEnvironmentOptions, 'purpose' | 'requirements'>,
): Promise<void> {
  const pip = ['-m', 'pip', command, '--no-input', '--quiet', '--disable-pip-version-check', ...options];
  await runCommand(python, [...pip, ...requirements]).catch((cause) => {
    const words = `${purpose} needs ${requirements[0]} and what that depends on: let pip reach a package index.`;
    throw new AssetError(`${words} ${messageOf(cause).replace(requirements.join(' '), '...')}`, { cause });
  });
}
