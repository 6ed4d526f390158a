import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { type FunctionName, functionNames } from '../shared/contract/event-types.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Leaves out what zod needs to write JSON Schemas, which only the documentation has: a fifth of it, loaded at each cold start. What
 * remains is what zod calls while it makes a schema.
 */
const withoutJsonSchemas: Plugin = {
  name: 'without-json-schemas',
  setup({ onLoad }) {
    onLoad({ filter: /zod[\\/]v4[\\/]core[\\/]to-json-schema\.js$/ }, () => ({ contents: jsonSchemaMethods }));
    onLoad({ filter: /zod[\\/]v4[\\/]core[\\/]json-schema-processors\.js$/ }, () => ({
      contents: 'module.exports = {};',
    }));
  },
};

const jsonSchemaMethods = `
const unavailable = () => () => { throw new Error('The functions write no JSON Schemas.'); };
export const createToJSONSchemaMethod = unavailable;
export const createStandardJSONSchemaMethod = unavailable;
export const initializeContext = unavailable, extractDefs = unavailable, finalize = unavailable;
export const handleUnrepresentable = unavailable, processSchema = unavailable;
`;

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
    plugins: [withoutJsonSchemas],
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
