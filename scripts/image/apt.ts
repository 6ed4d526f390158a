import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheRoot } from '../cache-root.ts';
import type { DebianPackage } from './package-lock.ts';
import { runProgram } from './run-program.ts';

/** apt with package lists of its own, so that neither the machine's nor root's rights are needed. */
export interface Apt {
  /** Downloads packages into a folder. @throws {ImageError} where one is not to be had */
  download(packages: readonly DebianPackage[], folder: string): Promise<void>;
  /** The newest of each name. */
  newest(names: readonly string[]): Promise<readonly DebianPackage[]>;
}

/** With the sources that the machine has; their lists are fetched anew. */
export async function openApt(environment: NodeJS.ProcessEnv): Promise<Apt> {
  const folder = join(cacheRoot(environment), 'apt');
  await mkdir(join(folder, 'state', 'lists', 'partial'), { recursive: true });
  await mkdir(join(folder, 'cache', 'archives', 'partial'), { recursive: true });
  const own = [
    ...['-o', `Dir::State=${join(folder, 'state')}`],
    // What is installed here does not matter, but apt wants to know.
    ...['-o', 'Dir::State::status=/dev/null'],
    ...['-o', `Dir::Cache=${join(folder, 'cache')}`],
    ...['-o', 'APT::Sandbox::User=root'],
    // Else a list that cannot be fetched is a warning, and then its packages are not known.
    ...['-o', 'APT::Update::Error-Mode=any'],
    '-qq',
  ];
  await runProgram('apt-get', ['update', ...own]);
  return {
    async download(packages, target) {
      const wanted = packages.map(({ name, version }) => `${name}=${version}`);
      await runProgram('apt-get', ['download', ...own, ...wanted], { folder: target });
    },
    async newest(names) {
      const uris = await runProgram('apt-get', ['download', '--print-uris', ...own, ...names]);
      return names.map((name) => namedIn(uris.toString(), name));
    },
  };
}

/** A line is: 'address' file size SHA256:hash; the file is <name>_<version>_<architecture>.deb with the version's colon as %3a. */
function namedIn(uris: string, name: string): DebianPackage {
  for (const line of uris.split('\n')) {
    const found = /^'[^']*' (?<name>[^_ ]+)_(?<version>[^_ ]+)_[^_ ]+\.deb \d+ SHA256:(?<sha256>[0-9a-f]{64})$/.exec(
      line,
    );
    const { version, sha256 } = found?.groups ?? {};
    if (found?.groups?.['name'] !== name || version === undefined || sha256 === undefined) continue;
    return { name, version: decodeURIComponent(version), sha256 };
  }
  throw new Error(`apt-get names no file of ${name}.`);
}

/** Whose packages this machine's apt has. */
export async function ownDistribution(): Promise<{ readonly id: string; readonly version: string }> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const value = (key: string) => new RegExp(`^${key}="?([^"\\n]*)"?$`, 'm').exec(release)?.[1] ?? '';
  return { id: value('ID'), version: value('VERSION_ID') };
}
