import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const reporter = fileURLToPath(new URL('closing-line.ts', import.meta.url));
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'closing-line-test-'));
});

afterEach(() => rm(root, { recursive: true }));

async function lastLine(files: Readonly<Record<string, string>>, ...flags: string[]): Promise<string | undefined> {
  await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(root, name), content)));
  const args = [vitest, 'run', '--root', root, '--globals', '--reporter=default', `--reporter=${reporter}`, ...flags];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return output.trimEnd().split('\n').at(-1);
}

test('a green run ends with its count', async () => {
  expect(await lastLine({ 'a.test.js': "test('a', () => {}); test('b', () => {});" })).toBe(
    'tests: 2 passed, 0 failed',
  );
});

test('failures, skipped tests and files that cannot be loaded are counted', async () => {
  const files = {
    'a.test.js': "test('a', () => {}); test('b', () => { throw new Error('b'); }); test.skip('c', () => {});",
    'b.test.js': "throw new Error('no test here');",
  };
  expect(await lastLine(files)).toBe('tests: 1 passed, 2 failed, 1 skipped');
});

test('a run whose global setup fails does not look green', async () => {
  const files = {
    'a.test.js': "test('a', () => {});",
    'vitest.config.js': "export default { test: { globalSetup: './setup.js' } };",
    'setup.js': "export default () => { throw new Error('no control plane'); };",
  };
  expect(await lastLine(files)).toMatch(/^tests: 0 passed, 1 failed/);
});

test('a run with no test at all does not look green', async () => {
  expect(await lastLine({})).toMatch(/^tests: 0 passed, 1 failed/);
});
