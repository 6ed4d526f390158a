import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { type FunctionName, functionNames } from '../shared/contract/event-types.ts';
import { type BundleEntry, bundleEntries } from './bundles.ts';
import { writeCompileCaches } from './image/compile-cache.ts';
import { compileCachePath } from './image/dispatcher/load-bundle.ts';
import { versionAlone } from './version-alone.ts';
import { withBaseManifests } from './with-base-manifests.ts';
import { withoutJsonSchemas } from './without-json-schemas.ts';
import { withoutLogTransports } from './without-log-transports.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

export interface Bundle<Name extends string = FunctionName> {
  readonly name: Name;
  readonly path: string;
  /** Bytes, minified. */
  readonly size: number;
  /** Bytes that it may have. */
  readonly limit: number;
  /** Files whose code it has, from the project's folder. */
  readonly inputs: readonly string[];
}

/**
 * Bundles functions into <folder>/<function>.cjs, and beside them what they load when it is needed.
 * @default every function
 */
export async function buildFunctions(
  outputDirectory = `${root}dist`,
  names: readonly FunctionName[] = functionNames,
): Promise<readonly Bundle[]> {
  const wanted = new Set<string>(names);
  const built = await buildBundles(
    outputDirectory,
    bundleEntries.filter(({ name, startedBy }) => startedBy === 'beside' || wanted.has(name)),
  );
  return names.flatMap((name) => built.flatMap((bundle) => (bundle.name === name ? { ...bundle, name } : [])));
}

/**
 * Bundles entries into <folder>/<name>.cjs: one minified file each, since start time is dominated by loading modules. The same sources
 * give the same bytes, wherever the project and the folder are. Licences that want to be kept stand in <name>.cjs.LEGAL.txt.
 * @default all of them
 */
export async function buildBundles(
  outputDirectory: string,
  entries: readonly BundleEntry[] = bundleEntries,
): Promise<readonly Bundle<string>[]> {
  await mkdir(outputDirectory, { recursive: true });
  return Promise.all(entries.map((entry) => buildBundle(outputDirectory, entry)));
}

async function buildBundle(outputDirectory: string, entry: BundleEntry): Promise<Bundle<string>> {
  const { name, source, limit = Number.POSITIVE_INFINITY } = entry;
  const { outputFiles, metafile } = await build({
    ...bundling,
    ...(entry.readsImportMeta === true ? importMetaOfFile : {}),
    ...(entry.takesModules === true ? { mainFields: ['module', 'main'] } : {}),
    entryPoints: [{ in: `${root}${source}`, out: name }],
    // The files are written below; the folder decides their names alone, so that it is in none of their bytes.
    outdir: join(root, 'dist'),
    plugins: [withBaseManifests, versionAlone, withoutJsonSchemas, withoutLogTransports, loadedBeside(entry)],
  });
  const path = join(outputDirectory, `${name}.cjs`);
  // V8 compares lengths only: an old cache must not meet another code.
  await rm(compileCachePath(path), { force: true });
  await Promise.all(outputFiles.map((file) => writeFile(inFolder(outputDirectory, file.path), file.contents)));
  const code = outputFiles.find((file) => file.path.endsWith('.cjs'));
  return { name, path, size: code?.contents.byteLength ?? 0, limit, inputs: inputsOf(metafile) };
}

const bundling = {
  absWorkingDir: root,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  // What is loaded beside a bundle is a CommonJS file too, which require finds beside it.
  supported: { 'dynamic-import': false },
  legalComments: 'linked',
  logLevel: 'warning',
  write: false,
  metafile: true,
} satisfies BuildOptions;

/** CommonJS has no import.meta; its file is known all the same. */
const importMetaOfFile = {
  define: { 'import.meta.url': 'importMetaUrl' },
  banner: { js: "const importMetaUrl=require('node:url').pathToFileURL(__filename).href;" },
} satisfies BuildOptions;

/** Leaves a module that has a file of its own out of the bundle: a dynamic import of it loads ./<name>.cjs. */
function loadedBeside(entry: BundleEntry): Plugin {
  const files = new Map(
    bundleEntries
      .filter((other) => other.startedBy === 'beside' && other !== entry)
      .map(({ name, source }) => [resolve(root, source), `./${name}.cjs`]),
  );
  return {
    name: 'loaded-beside',
    setup({ onResolve }) {
      onResolve({ filter: /^\.{1,2}\// }, ({ kind, path, resolveDir }) => {
        const file = files.get(resolve(resolveDir, path));
        if (file === undefined || kind === 'entry-point') return undefined;
        if (kind === 'dynamic-import') return { path: file, external: true };
        return {
          errors: [{ text: `${path} stands beside the bundle: load it by import(), not by an import statement.` }],
        };
      });
    },
  };
}

function inFolder(folder: string, path: string): string {
  return join(folder, path.slice(join(root, 'dist').length));
}

/** Files of which something is left in the output. */
function inputsOf({ outputs }: Metafile): readonly string[] {
  return Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? path : []))
    .toSorted();
}

/** Bundles what the image starts, <folder>/main.cjs: it runs the bundle beside it that its argument names. */
export async function buildDispatcher(outputDirectory: string): Promise<void> {
  const names = bundleEntries.filter(({ startedBy }) => startedBy === 'argument').map(({ name }) => name);
  await build({
    ...bundling,
    entryPoints: [`${root}scripts/image/dispatcher/main.ts`],
    outfile: join(outputDirectory, 'main.cjs'),
    define: { bundleNames: JSON.stringify(names) },
    write: true,
  });
}

/** The bundles that are larger than they may be, a sentence each. */
export function beyondLimit(bundles: readonly Bundle<string>[]): readonly string[] {
  return bundles
    .filter(({ size, limit }) => size > limit)
    .map(({ name, size, limit }) => `${name}.cjs has ${size} bytes, and may have ${limit}.`);
}

const usage = `Usage: npm run build [-- --compile-cache]

Bundles everything that the image has into dist/: each function, the command line, and main.cjs, which starts the one that its argument names.
  --compile-cache  write V8's compile cache of each bundle beside it too; the Node that runs them must be this one`;

async function main(options: readonly string[]): Promise<number> {
  const unknown = options.find((option) => option !== '--compile-cache' && option !== '--help');
  if (unknown !== undefined) console.error(`There is no option ${unknown}.`);
  if (unknown !== undefined || options.includes('--help')) {
    console.log(usage);
    return unknown === undefined ? 0 : 2;
  }
  const folder = `${root}dist`;
  const bundles = await buildBundles(folder);
  await buildDispatcher(folder);
  if (options.length > 0) await writeCompileCaches({ folder });
  for (const { name, size } of bundles) console.log(`dist/${name}.cjs  ${(size / 1000).toFixed(0)} KB`);
  const complaints = beyondLimit(bundles);
  for (const complaint of complaints) console.error(complaint);
  return complaints.length === 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
