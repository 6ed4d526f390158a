import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

const relativeImport = /\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+\.ts)'/g;

/** Whether one of the files, or a file that they import by a relative path, matches the pattern. */
export async function someFileReaches(files: readonly string[], pattern: RegExp): Promise<boolean> {
  const seen = new Set<string>();
  const open = [...files];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) {
      continue;
    }
    seen.add(file);
    const source = await readFile(file, 'utf8').catch(() => '');
    if (pattern.test(source)) {
      return true;
    }
    open.push(...importsOf(file, source));
  }
  return false;
}

function importsOf(file: string, source: string): string[] {
  return [...source.matchAll(relativeImport)].flatMap(([, path]) =>
    path === undefined ? [] : [resolve(dirname(file), path)],
  );
}
