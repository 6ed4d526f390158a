import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beyondLimit, buildBundles, buildDispatcher } from './build.ts';
import { type BundleEntry, bundleEntries } from './bundles.ts';
import { writeCompileCaches } from './image/compile-cache.ts';

let work = '';
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'magnum-build-test-'));
});
afterAll(() => rm(work, { recursive: true, force: true }));

const small = bundleEntries.filter(({ name }) => name === 'health' || name === 'telemetry' || name === 'magnum-capi');

async function contentsOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder)).toSorted();
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'latin1')] as const)),
  );
}

test('two builds have the same bytes, compile caches included, in whatever folder', async () => {
  const folders = ['one', 'deeper/other'].map((name) => join(work, name));
  for (const folder of folders) {
    await buildBundles(folder, small);
    await writeCompileCaches({ folder, entries: small });
  }
  const [one, other] = await Promise.all(folders.map(contentsOf));
  expect([...(one?.keys() ?? [])]).toEqual(expect.arrayContaining(['health.cjs', 'health.cache', 'magnum-capi.cache']));
  expect([...(one?.keys() ?? [])]).toEqual([...(other?.keys() ?? [])]);
  for (const [name, content] of one ?? []) expect(content === other?.get(name), name).toBe(true);
}, 60_000);

test('the bundles are ASCII, for the dispatcher reads them so', async () => {
  for (const { path } of await buildBundles(join(work, 'ascii'))) {
    expect(/^[\0-\x7f]*$/.test(await readFile(path, 'latin1')), path).toBe(true);
  }
}, 60_000);

test('every bundle is within its limit', async () => {
  expect(beyondLimit(await buildBundles(join(work, 'limits')))).toEqual([]);
  const large = { name: 'create', path: '', size: 500_001, limit: 500_000, inputs: [] };
  expect(beyondLimit([large])).toEqual(['create.cjs has 500001 bytes, and may have 500000.']);
}, 60_000);

test('what is loaded when it is needed is in no bundle, and stands beside them', async () => {
  const beside = bundleEntries.filter(({ startedBy }) => startedBy === 'beside');
  const bundles = await buildBundles(join(work, 'beside'));
  for (const { name, source } of beside) {
    const having = bundles.filter(({ inputs }) => inputs.includes(source)).map((bundle) => bundle.name);
    expect(having).toEqual([name]);
  }
}, 60_000);

/** Runs main.cjs with a bundle of the given code. */
async function dispatch(code: string, args: readonly string[]) {
  const folder = await mkdtemp(join(work, 'dispatcher-'));
  await buildDispatcher(folder);
  await writeFile(join(folder, 'create.cjs'), code);
  const child = spawn(process.execPath, [join(folder, 'main.cjs'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  return { child, ended: once(child, 'close').then(([exitCode]: unknown[]) => exitCode) };
}

test('the dispatcher gives a bundle its arguments, its file and a require of its own', async () => {
  const code =
    "#!/usr/bin/env node\nconsole.log(JSON.stringify([process.argv.slice(2), __filename === process.argv[1], typeof require('fs').stat]))";
  const { child, ended } = await dispatch(code, ['create', '--flag', 'value']);
  expect(JSON.parse(await text(child.stdout))).toEqual([['--flag', 'value'], true, 'function']);
  expect(await ended).toBe(0);
});

test('SIGTERM ends a bundle that has no handler yet, as it would not in a container', async () => {
  const { child, ended } = await dispatch("setInterval(() => {}, 1000); console.log('up')", ['create']);
  await once(createInterface({ input: child.stdout }), 'line');
  child.kill('SIGTERM');
  expect(await ended).toBe(143);
});

test('SIGTERM is left to a bundle that handles it', async () => {
  const code =
    "process.on('SIGTERM', () => setTimeout(() => process.exit(7), 50)); setInterval(() => {}, 1000); console.log('up')";
  const { child, ended } = await dispatch(code, ['create']);
  await once(createInterface({ input: child.stdout }), 'line');
  child.kill('SIGTERM');
  expect(await ended).toBe(7);
});

test('a bundle that does not start gives no compile cache, and is told of with its output', async () => {
  const folder = await mkdtemp(join(work, 'broken-'));
  await writeFile(join(folder, 'broken.cjs'), "console.error('no luck'); process.exit(3)");
  const entries: readonly BundleEntry[] = [{ name: 'broken', source: 'none', startedBy: 'argument' }];
  await expect(writeCompileCaches({ folder, entries })).rejects.toThrow(
    /broken cannot be started.* ended with 3:\n.*no luck/s,
  );
  expect(await readdir(folder)).toEqual(['broken.cjs']);
});
