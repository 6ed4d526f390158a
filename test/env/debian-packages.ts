import { delimiter, join } from 'node:path';
import { exists } from './assets.ts';
import { AssetError } from './go-toolchain.ts';
import { runCommand } from './run-command.ts';

/** A program of the machine, as Debian packages it. */
export interface DebianProgram<Found> {
  readonly packages: readonly string[];
  /** What to install and what needs it, as `Install MariaDB's server (…): the databases need it`. */
  readonly advice: string;
  /** undefined where it is not installed. */
  readonly find: () => Promise<Found | undefined>;
  readonly onProgress: (line: string) => void;
}

/**
 * Finds a program; on Debian, as root, installs it.
 * @throws {AssetError} in one sentence that says what to install.
 */
export async function requireDebianProgram<Found>(program: DebianProgram<Found>): Promise<Found> {
  const { packages, advice, find, onProgress } = program;
  const found = await find();
  if (found !== undefined) return found;
  if (process.getuid?.() !== 0 || (await findProgram('apt-get')) === undefined) throw new AssetError(`${advice}.`);
  onProgress(`installing Debian's packages ${packages.join(' and ')}`);
  await install(packages).catch((cause) => {
    throw new AssetError(`${advice}, and apt-get could not install it.`, { cause });
  });
  const installed = await find();
  if (installed === undefined) throw new AssetError(`${advice}; the packages that apt-get installed do not bring it.`);
  return installed;
}

async function install(packages: readonly string[]): Promise<void> {
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runCommand('apt-get', ['update', '-qq'], { environment });
  await runCommand('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { environment });
}

/** Path of a program; undefined where there is none. */
export async function findProgram(name: string): Promise<string | undefined> {
  // Where Debian puts servers, which the PATH of a plain user lacks.
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  const paths = folders.map((folder) => join(folder, name));
  const usable = await Promise.all(paths.map(exists));
  return paths[usable.indexOf(true)];
}
