import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkTarget } from './write-layout.ts';

let work = '';
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'magnum-layout-test-'));
});
afterAll(() => rm(work, { recursive: true }));

test('a folder that is not there, is empty or has a layout may become the layout', async () => {
  await expect(checkTarget(join(work, 'new', 'image'))).resolves.toBeUndefined();
  await expect(checkTarget(work)).resolves.toBeUndefined();
  await writeFile(join(work, 'oci-layout'), '');
  await expect(checkTarget(work)).resolves.toBeUndefined();
});

// A variable that is empty in somebody's script would otherwise cost the folder that the script runs in.
test.each([
  ['', 'has other files than an image'],
  ['package.json', 'ENOTDIR'],
  ['scripts', 'has other files than an image'],
])('"%s" may not', async (target, complaint) => {
  await expect(checkTarget(target)).rejects.toThrow(complaint);
});
