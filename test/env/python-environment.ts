import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { unlessPresent } from './asset-build.ts';
import { cacheRoot, exists } from './assets.ts';
import { withBuildLock } from './build-lock.ts';
import { AssetError } from './go-toolchain.ts';
import { runCommand } from './run-command.ts';

const interpreter = 'python3';
const minimumMinor = 11;

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
  const { environment = process.env, onProgress = () => undefined } = options;
  const folder = environmentFolder(options.requirements, await pythonVersion(options.purpose), environment);
  const python = join(folder, 'bin', 'python');
  if (await exists(python)) return python;
  await mkdir(dirname(folder), { recursive: true });
  await withBuildLock(`${folder}.building`, async () => {
    if (!(await exists(python))) await install(folder, { ...options, onProgress });
  });
  return python;
}

/** Another version of Python or of any package has another folder. */
function environmentFolder(requirements: readonly string[], version: string, environment: NodeJS.ProcessEnv): string {
  const first = requirements[0]?.replace('==', '-') ?? 'empty';
  const all = createHash('sha256').update(requirements.join('\n')).digest('hex').slice(0, 8);
  const name = `${first}-${all}-python-${version}-${process.platform}-${process.arch}`;
  return join(cacheRoot(environment), name);
}

async function pythonVersion(purpose: string): Promise<string> {
  const needs = `${purpose} needs Python 3.${minimumMinor} or newer`;
  const remedy = `install ${interpreter} with its venv module (on Debian, the package python3-venv)`;
  const said = await runCommand(interpreter, ['--version']).catch((cause) => {
    throw new AssetError(`${needs}: ${remedy}.`, { cause });
  });
  const [version, major, minor] = /(\d+)\.(\d+)[\w.+]*/.exec(said) ?? [];
  if (version !== undefined && Number(major) === 3 && Number(minor) >= minimumMinor) return version;
  throw new AssetError(`${needs}, but this is ${said.trim()}: ${remedy}.`);
}

type Settings = PythonEnvironmentOptions & Required<Pick<PythonEnvironmentOptions, 'onProgress'>>;

/** The environment appears in its folder whole or not at all; its Python finds itself again after the move. */
async function install(folder: string, { purpose, requirements, onProgress }: Settings): Promise<void> {
  const began = performance.now();
  await removeRemains(folder);
  const work = await mkdtemp(`${folder}.work-`);
  try {
    onProgress(`making a Python environment with ${requirements[0]}, the first time takes a minute ...`);
    await runCommand(interpreter, ['-m', 'venv', work]).catch((cause) => {
      throw new AssetError(
        `${purpose} needs ${interpreter} with its venv module (on Debian, the package python3-venv): ${messageOf(cause)}`,
        { cause },
      );
    });
    const python = join(work, 'bin', 'python');
    const pip = ['-m', 'pip', 'install', '--no-input', '--quiet', '--disable-pip-version-check'];
    await runCommand(python, [...pip, ...requirements]).catch((cause) => {
      const words = `${purpose} needs ${requirements[0]} and what that depends on: let pip reach a package index.`;
      throw new AssetError(`${words} ${messageOf(cause).replace(requirements.join(' '), '...')}`, { cause });
    });
    await rename(work, folder).catch(unlessPresent);
    onProgress(`making it is done in ${Math.round((performance.now() - began) / 1000)} s`);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** What an installer that was killed left behind. */
async function removeRemains(folder: string): Promise<void> {
  const root = dirname(folder);
  const remains = (await readdir(root)).filter((name) => name.startsWith(`${basename(folder)}.work-`));
  await Promise.all(remains.map((name) => rm(join(root, name), { recursive: true, force: true })));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
