import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file for each test file that ran, with a right in each line; later runs replace their own. */
const folder = fileURLToPath(new URL('../../node_modules/.cache/magnum-rights/', import.meta.url));
const tests = fileURLToPath(new URL('../', import.meta.url));

/** Keeps which rights were used while a test file ran. */
export async function recordUsedRights(testFile: string, rights: ReadonlySet<string>): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${relative(tests, testFile).replaceAll('/', '-')}.txt`), [...rights].sort().join('\n'));
}

/** Which rights were used by all the test files that have run. */
export async function usedRights(): Promise<ReadonlySet<string>> {
  const files = await readdir(folder).catch(() => []);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return new Set(texts.flatMap((text) => text.split('\n')).filter((line) => line !== ''));
}
