import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import packageJson from '../package.json' with { type: 'json' };

const file = resolve(fileURLToPath(new URL('..', import.meta.url)), 'package.json');

/** Leaves out all of the project's package.json but its version, which alone is asked for at run time. */
export const versionAlone: Plugin = {
  name: 'version-alone',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]package\.json$/ }, ({ path }) =>
      path === file ? { contents: JSON.stringify({ version: packageJson.version }), loader: 'json' } : undefined,
    );
  },
};
