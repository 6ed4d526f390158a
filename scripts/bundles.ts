import { functionNames } from '../shared/contract/event-types.ts';

/** Bytes of a function, minified: its start is mostly loading it (design §10). */
const functionLimit = 500_000;

/** One file of dist/. */
export interface BundleEntry {
  /** Its file is dist/<name>.cjs. */
  readonly name: string;
  /** Where it starts, from the project's folder. */
  readonly source: string;
  /** Bytes that it may have, minified. @default any number */
  readonly limit?: number;
  /**
   * `argument`: what the image starts when its argument is the name. `beside`: no bundle has this module inside; a dynamic import of
   * `source` loads the file beside the bundle, when it is needed.
   */
  readonly startedBy: 'argument' | 'beside';
  /**
   * Whether packages that come in both forms are taken as ES modules, of which only what is used remains. OpenTelemetry's are a tenth then.
   * @default false
   */
  readonly takesModules?: boolean;
  /** Whether it may read import.meta, as packages that are ES modules only do; costs a module at each start. @default false */
  readonly readsImportMeta?: boolean;
  /** With these it ends by itself, so that its compile cache can be taken; without any it listens. @default none */
  readonly arguments?: readonly string[];
}

/** Everything that `npm run build` makes, and all that the image has. */
export const bundleEntries: readonly BundleEntry[] = [
  ...functionNames.map((name) => functionEntry(name)),
  functionEntry('dead-letters'),
  { name: 'telemetry', source: 'shared/telemetry/exporter.ts', startedBy: 'beside', takesModules: true },
  { name: 'magnum-capi', source: 'cli/main.ts', startedBy: 'argument', readsImportMeta: true, arguments: ['--help'] },
];

function functionEntry(name: string): BundleEntry {
  return { name, source: `functions/${name}/main.ts`, limit: functionLimit, startedBy: 'argument' };
}
