import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type BundleEntry, bundleEntries } from '../bundles.ts';

/**
 * With these V8 writes the same bytes each time: else its hash tables are ordered by a random seed. It leaves both out when it
 * compares the flags of a cache with those of the process (V8, flags.cc, ComputeFlagListHash), so the cache is taken without them.
 */
const reproducibly = ['--predictable', '--random-seed=1'];

/** Where the bundles stand in the image. */
export const imageFolder = '/app';

const writer = fileURLToPath(new URL('dispatcher/write-compile-cache.ts', import.meta.url));

export interface CompileCacheOptions {
  /** Folder of the bundles; <name>.cache appears beside <name>.cjs. */
  readonly folder: string;
  /** The Node that will run them: V8 takes the cache of its own version alone. @default this one */
  readonly node?: string;
  /** @default all that the image can start */
  readonly entries?: readonly BundleEntry[];
}

/**
 * Writes V8's compile cache of each bundle: it is started, and ended as soon as it listens or is done. The same Node and the same bundle
 * give the same bytes.
 * @throws Error with a bundle's output where it does not start
 */
export async function writeCompileCaches({
  folder,
  node,
  entries = bundleEntries,
}: CompileCacheOptions): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'magnum-compile-cache-'));
  try {
    const program = await bundledWriter(work);
    const account = await emptyAccount(work);
    for (const { name, startedBy, arguments: given = [] } of entries) {
      if (startedBy === 'beside') continue;
      const args = [
        ...reproducibly,
        program,
        join(resolve(folder), `${name}.cjs`),
        `${imageFolder}/${name}.cjs`,
        ...given,
      ];
      await runOnce({ name, node: node ?? process.execPath, args, account });
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** One file of JavaScript: TypeScript would be compiled in the process whose memory the cache is taken from. */
async function bundledWriter(work: string): Promise<string> {
  const outfile = join(work, 'write-compile-cache.cjs');
  await build({ entryPoints: [writer], outfile, bundle: true, platform: 'node', format: 'cjs', target: 'node22' });
  return outfile;
}

/** What a function reads of its ServiceAccount at its start; it is ended before it would use it. */
async function emptyAccount(work: string): Promise<string> {
  const folder = join(work, 'account');
  await mkdir(folder);
  await Promise.all([writeFile(join(folder, 'token'), ''), writeFile(join(folder, 'ca.crt'), '')]);
  return folder;
}

interface Start {
  readonly name: string;
  readonly node: string;
  readonly args: readonly string[];
  /** Folder of its ServiceAccount. */
  readonly account: string;
}

async function runOnce({ name, node, args, account }: Start): Promise<void> {
  const env = {
    NODE_ENV: 'production',
    PORT: '0',
    KUBERNETES_SERVICE_HOST: '127.0.0.1',
    KUBERNETES_SERVICE_PORT: '1',
    SERVICE_ACCOUNT_DIRECTORY: account,
  };
  const child = spawn(node, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    if (line.includes('"msg":"listening"')) child.kill('SIGTERM');
  });
  const [complaint, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (code === 0) return;
  const output = [...lines, complaint.trim()].join('\n');
  throw new Error(`${name} cannot be started for its compile cache; it ended with ${code}:\n${output}`);
}
