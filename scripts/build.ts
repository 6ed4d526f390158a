import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type FunctionName, functionNames } from '../shared/contract/event-types.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

export interface Bundle {
  readonly name: FunctionName;
  readonly path: string;
  /** Bytes, minified. */
  readonly size: number;
}

/**
 * Bundles functions into dist/<function>.cjs: one minified file, since start time is dominated by loading modules.
 * @default every function
 */
export async function buildFunctions(
  outputDirectory = `${root}dist`,
  names: readonly FunctionName[] = functionNames,
): Promise<readonly Bundle[]> {
  await build({
    entryPoints: names.map((name) => ({ in: `${root}functions/${name}/main.ts`, out: name })),
    outdir: outputDirectory,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    legalComments: 'linked',
    logLevel: 'warning',
  });
  return names.map((name) => {
    const path = `${outputDirectory}/${name}.cjs`;
    return { name, path, size: statSync(path).size };
  });
}

if (import.meta.main) {
  for (const bundle of await buildFunctions()) {
    console.log(`dist/${bundle.name}.cjs  ${(bundle.size / 1000).toFixed(0)} KB`);
  }
}
