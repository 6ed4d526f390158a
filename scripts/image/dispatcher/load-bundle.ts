import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

/** A bundle that is ready to run. */
export interface CompiledBundle {
  readonly script: Script;
  /** Whether V8 took the compile cache; undefined where there is none. */
  readonly cacheTaken: boolean | undefined;
  /** Runs it as `require` would, and like it returns when all that is synchronous is done. */
  run(): void;
}

/** Where the compile cache of a bundle stands. */
export function compileCachePath(bundle: string): string {
  return bundle.replace(/\.cjs$/, '.cache');
}

/**
 * Compiles a CommonJS bundle with V8's compile cache that stands beside it. Node's own compile cache is not used: its folder is
 * named after the user's id, which some platforms choose, and its bytes are others at each build (docs/adr/0020-container-image.md).
 * @param bundle absolute path; ASCII, as esbuild writes it
 * @param filename what V8 calls it, in stack traces and in the cache
 */
export function compileBundle(bundle: string, filename = bundle): CompiledBundle {
  const cachedData = bytesOf(compileCachePath(bundle));
  // A first line for the shell is no JavaScript once something stands before it.
  const code = readFileSync(bundle, 'latin1').replace(/^#!/, '//');
  const source = `(function (exports, require, module, __filename, __dirname) {${code}\n})`;
  const script = new Script(source, { filename, ...(cachedData === undefined ? {} : { cachedData }) });
  return {
    script,
    cacheTaken: cachedData === undefined ? undefined : script.cachedDataRejected === false,
    run() {
      const module = { exports: {} };
      const load = script.runInThisContext();
      load.call(module.exports, module.exports, createRequire(bundle), module, bundle, dirname(bundle));
    },
  };
}

function bytesOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
