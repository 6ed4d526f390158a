import { join } from 'node:path';
import { endOnEarlySignals } from './early-signals.ts';
import { compileBundle } from './load-bundle.ts';

/** What the argument may be; put in by the build. */
declare const bundleNames: readonly string[];

function main([name, ...rest]: readonly string[]): void {
  if (name === undefined || !bundleNames.includes(name)) {
    const complaint = name === undefined ? 'Say what to start' : `There is no "${name}"`;
    console.error(`${complaint}: the first argument is one of ${bundleNames.join(', ')}.`);
    process.exitCode = 2;
    return;
  }
  endOnEarlySignals();
  const bundle = join(__dirname, `${name}.cjs`);
  process.argv = [process.execPath, bundle, ...rest];
  const compiled = compileBundle(bundle);
  if (compiled.cacheTaken === false) tellOfRejectedCache(name);
  compiled.run();
}

/** A line like those of the log, on standard error: standard output is the command line's result. */
function tellOfRejectedCache(bundle: string): void {
  const msg = 'the compile cache does not fit this Node or its V8 flags, so the start takes longer';
  console.error(JSON.stringify({ level: 'warn', time: new Date().toISOString(), bundle, msg }));
}

main(process.argv.slice(2));
