import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { someFileReaches } from './reachable-source.ts';

let root: string;
const sources = {
  'direct.test.ts': "const server = needle('server');",
  'indirect.test.ts': "import { a } from './lib/a.ts';",
  'circular.test.ts': "import './circular.test.ts';\nimport { readFile } from 'node:fs';",
  'gone.test.ts': "import './gone.ts';",
  'lib/a.ts': "export * from '../b.ts';",
  'b.ts': "const server = needle('server');",
};

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'reachable-test-'));
  await mkdir(join(root, 'lib'));
  await Promise.all(Object.entries(sources).map(([name, text]) => writeFile(join(root, name), text)));
});

afterAll(() => rm(root, { recursive: true }));

test.each([
  ['direct.test.ts', true],
  ['indirect.test.ts', true],
  ['circular.test.ts', false],
  ['gone.test.ts', false],
])('whether %s has the needle, itself or by what it imports: %s', async (file, expected) => {
  expect(await someFileReaches([join(root, file)], /\bneedle\(/)).toBe(expected);
});
