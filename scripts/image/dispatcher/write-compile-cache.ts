import { rmSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { compileBundle, compileCachePath } from './load-bundle.ts';

/**
 * Runs a bundle; at its end, in order, what V8 has compiled of it becomes its compile cache.
 * @param bundle where it stands now
 * @param filename where it will stand
 */
function main([bundle, filename, ...rest]: readonly string[]): void {
  if (bundle === undefined || filename === undefined) throw new Error('Which bundle?');
  const cache = compileCachePath(bundle);
  // What was loaded from a cache is laid out differently from what was compiled.
  rmSync(cache, { force: true });
  // Else what ran once and long ago would be dropped by the garbage collector.
  setFlagsFromString('--no-flush-bytecode');
  process.argv = [process.execPath, bundle, ...rest];
  const { script, run } = compileBundle(bundle, filename);
  process.on('exit', (code) => {
    if (code !== 0) return;
    // The cache names the flags under which it was made; a process with others does not take it.
    setFlagsFromString('--flush-bytecode');
    writeFileSync(cache, script.createCachedData());
  });
  run();
}

main(process.argv.slice(2));
