import { access, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { cacheRoot } from '../../scripts/cache-root.ts';
import { buildAssets } from './asset-build.ts';
import { assetFile } from './asset-file.ts';
import { AssetError } from './go-toolchain.ts';
import { type AssetName, assetNames, releases } from './parts.ts';

/** Changes with the way of building, so that binaries of the old way are not used. */
const recipe = 1;

export interface AssetOptions {
  /** What is needed. @default everything */
  readonly names?: readonly AssetName[];
  /** Read for TEST_ASSETS_DIR and XDG_CACHE_HOME. @default process.env */
  readonly environment?: NodeJS.ProcessEnv;
  readonly onProgress?: (line: string) => void;
}

/** Where each asset stands. */
export type Assets = ReadonlyMap<AssetName, string>;

/**
 * Finds each asset in TEST_ASSETS_DIR, else in the cache; builds the rest into the cache with Go.
 * @throws {AssetError} when something is missing and cannot be built.
 */
export async function resolveAssets(options: AssetOptions = {}): Promise<Assets> {
  const { names = assetNames, environment = process.env, onProgress = () => undefined } = options;
  const own = await ownFolder(environment);
  const cache = cacheFolder(environment);
  const folders = own === undefined ? [cache] : [own, cache];
  const missing = async () => (await locate(names, folders)).missing;
  if ((await missing()).length > 0) {
    await mkdir(cache, { recursive: true });
    await buildAssets({ target: cache, missing, onProgress });
  }
  return (await locate(names, folders)).found;
}

/** Where Go's binaries are kept. */
export function cacheFolder(environment: NodeJS.ProcessEnv): string {
  const versions = `kubernetes-${releases.kubernetes}-etcd-${releases.etcd}-cluster-api-${releases.clusterApi}`;
  return join(cacheRoot(environment), `${versions}-${process.platform}-${process.arch}-${recipe}`);
}

async function ownFolder(environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  const folder = environment['TEST_ASSETS_DIR'];
  if (folder === undefined || folder === '') {
    return undefined;
  }
  if (!(await exists(folder))) {
    throw new AssetError(`TEST_ASSETS_DIR names the folder ${folder}, which does not exist.`);
  }
  return resolve(folder);
}

async function locate(names: readonly AssetName[], folders: readonly string[]) {
  const found = new Map<AssetName, string>();
  const missing: AssetName[] = [];
  for (const name of names) {
    const file = await assetFile(name);
    const paths = folders.map((folder) => join(folder, file));
    const present = await Promise.all(paths.map(exists));
    const path = paths[present.indexOf(true)];
    path === undefined ? missing.push(name) : found.set(name, path);
  }
  return { found, missing };
}

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
