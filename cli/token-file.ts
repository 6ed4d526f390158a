import { readFile } from 'node:fs/promises';
import { UsageError } from './errors.ts';

/** The bearer token in a file. @throws UsageError that repeats nothing of its content */
export async function readTokenFile(path: string): Promise<string> {
  try {
    const token = (await readFile(path, 'utf8')).trim();
    if (/^[\x21-\x7e]+$/.test(token)) return token;
  } catch {
    throw new UsageError(`The file ${path} with the token cannot be read.`);
  }
  throw new UsageError(`The file ${path} holds no token.`);
}
