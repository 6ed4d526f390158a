import { appParts } from './app-layer.ts';
import { type Architecture, ownArchitecture } from './architecture.ts';
import { debianBase, ownBase } from './base-layer.ts';
import { compressedLayer } from './compressed-layer.ts';
import { type ImageLayout, imageLayout, type Layer } from './image-layout.ts';
import { nodeLayer } from './node-layer.ts';
import { nodeVersions } from './node-part.ts';
import { type LockedParts, readPackageLock } from './package-lock.ts';
import type { Progress } from './progress.ts';
import { currentRevision, type Revision } from './revision.ts';
import { sbomOf } from './sbom.ts';
import { type TarEntry, tarOf } from './tar.ts';

export interface ImageOptions {
  /** Folder of a root file system with the libraries that Node needs. @default Debian's packages of the lock */
  readonly base?: string | undefined;
  /** File that locks what is not this project's. @default scripts/image/packages.lock.json */
  readonly lock?: string | undefined;
  /** The commit. @default as git says */
  readonly revision?: string | undefined;
  /** Whether a large layer that was compressed before may be used again. @default true */
  readonly useCache?: boolean;
  readonly progress: Progress;
}

export interface BuiltImage extends ImageLayout {
  readonly layers: readonly Layer[];
  /** A CycloneDX document. */
  readonly sbomDocument: Buffer;
}

interface Setting {
  readonly architecture: Architecture;
  readonly locked: LockedParts;
  readonly revision: Revision;
}

/** A layer before it is packed. */
export interface LayerContent {
  readonly name: 'base' | 'node' | 'app';
  /** For the history. */
  readonly purpose: string;
  readonly entries: readonly TarEntry[];
}

/**
 * Builds the image from this checkout and what it locks, without a daemon. The same checkout, SOURCE_DATE_EPOCH and architecture
 * give the same bytes.
 * @throws {ImageError} in a sentence that says what to do
 */
export async function buildImage(options: ImageOptions): Promise<BuiltImage> {
  const setting = await settingOf(options);
  const { revision, architecture } = setting;
  const { contents, npmPackages } = await contentsOf(setting, options);
  options.progress('compressing layers');
  const layers: Layer[] = [];
  for (const { purpose, entries } of contents) {
    const content = tarOf(entries, revision.time);
    layers.push({ purpose, content, compressed: await compressedLayer(content, options.useCache ?? true) });
  }
  const bill = sbomOf({
    ...setting,
    npmPackages,
    nodeVersions: await nodeVersions(),
    ownBase: options.base !== undefined,
  });
  const sbomDocument = Buffer.from(`${JSON.stringify(bill, null, 2)}\n`);
  return { ...imageLayout({ revision, architecture, layers, sbom: sbomDocument }), layers, sbomDocument };
}

/** What the image has, for a builder that packs it by itself. @throws {ImageError} in a sentence that says what to do */
export async function imageContents(options: ImageOptions): Promise<readonly LayerContent[]> {
  return (await contentsOf(await settingOf(options), options)).contents;
}

async function settingOf(options: ImageOptions): Promise<Setting> {
  const architecture = ownArchitecture();
  const [locked, revision] = await Promise.all([
    readPackageLock(architecture, options.lock),
    currentRevision(process.env, options.revision),
  ]);
  return { architecture, locked, revision };
}

/** What each layer has: the base changes with Debian, Node with its releases, the app with each of ours. */
async function contentsOf({ architecture, locked }: Setting, { base, progress }: ImageOptions) {
  // First what has to be fetched: whatever is missing is said at once.
  const libraries =
    base === undefined ? await debianBase(locked, architecture, progress) : await ownBase(base, architecture);
  const node = await nodeLayer(locked, architecture, progress);
  const { entries: app, npmPackages } = await appParts(progress);
  const contents: readonly LayerContent[] = [
    { name: 'base', purpose: 'base: libraries, certificate authorities, accounts', entries: libraries },
    { name: 'node', purpose: `node ${locked.node.version}`, entries: node },
    { name: 'app', purpose: 'app: bundles, compile caches, licences', entries: app },
  ];
  return { contents, npmPackages };
}
