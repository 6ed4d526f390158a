import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dump } from 'js-yaml';
import { type Manifest, readManifests } from '../../local/manifests/read-manifests.ts';
import { CommandError, runCommand } from '../env/run-command.ts';
import { type BuiltKustomizeOptions, builtKustomize } from './built-kustomize.ts';

const knative = fileURLToPath(new URL('../../knative/', import.meta.url));

/** A command that prints what a folder's kustomization comes to; the folder is its last argument. */
type Kustomize = readonly [program: string, ...args: string[]];

const installed: readonly Kustomize[] = [
  ['kubectl', 'kustomize'],
  ['kustomize', 'build'],
];

/**
 * kubectl or kustomize where it is on the PATH, else one that is built.
 * @throws {AssetError} where that is not possible
 */
export async function kustomizeCommand(options: BuiltKustomizeOptions = {}): Promise<Kustomize> {
  for (const command of installed) if (await runs(command)) return command;
  return [await builtKustomize(options), 'build'];
}

async function runs([program, ...args]: Kustomize): Promise<boolean> {
  try {
    await runCommand(program, [...args, '--help']);
    return true;
  } catch (error) {
    if (error instanceof CommandError) return false;
    throw error;
  }
}

/** The objects that `kubectl apply -k knative/<folder>` would apply. */
export function kustomized(folder: string): Promise<readonly Manifest[]> {
  return build(join(knative, folder));
}

/** What an overlay over the base with nothing but these components comes to. */
export async function withComponents(...components: readonly string[]): Promise<readonly Manifest[]> {
  // Where temporary files are may be a link, and kustomize counts the steps of a path from where it leads to.
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'kustomize-')));
  try {
    const paths = components.map((name) => relative(folder, join(knative, 'components', name)));
    const overlay = { resources: [relative(folder, join(knative, 'base'))], components: paths };
    await writeFile(join(folder, 'kustomization.yaml'), dump(overlay));
    return await build(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function build(folder: string): Promise<readonly Manifest[]> {
  const [program, ...args] = await kustomizeCommand();
  const printed = await runCommand(program, [...args, folder]);
  const directory = await mkdtemp(join(tmpdir(), 'kustomized-'));
  try {
    const file = join(directory, 'all.yaml');
    await writeFile(file, printed);
    return await readManifests(file);
  } finally {
    await rm(directory, { recursive: true });
  }
}
