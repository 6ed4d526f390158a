import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

/** Bytes. A function may have 500 KB in all (design §10), and this is the part that each has. */
const limit = 200_000;

test('the host with its log and its authentication stays small, without an SDK or a schema library that it does not need', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: ['run-function.ts', 'token-authenticator.ts', 'logger.ts'].map((name) =>
      fileURLToPath(new URL(name, import.meta.url)),
    ),
    outdir: 'dist',
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'cjs',
    // Stands beside the bundles.
    external: ['./exporter.ts'],
  });
  const packages = Object.keys(metafile.inputs).flatMap(
    (path) => /node_modules\/(?<name>(?:@[^/]+\/)?[^/]+)\//.exec(path)?.groups?.['name'] ?? [],
  );
  expect(new Set(packages)).not.toContain('cloudevents');
  expect(packages.filter((name) => name.startsWith('@opentelemetry/'))).toEqual([]);
  expect(new Set(packages)).not.toContain('zod');
  expect(outputFiles.reduce((bytes, file) => bytes + file.contents.byteLength, 0)).toBeLessThan(limit);
});
