import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { UsageError } from '../errors.ts';
import type { Terminal } from '../output/terminal.ts';

/** Standard input among files; on a command line it is `-`. */
export const standardInput = '/dev/stdin';

/**
 * Reads one JSON or YAML document.
 * @param path of the file, or `standardInput`
 * @throws UsageError for a file that cannot be read, Error for one that is neither; never with a part of its content
 */
export async function readDocument(path: string, terminal: Terminal): Promise<unknown> {
  const content = path === standardInput ? await text(terminal.input) : await readText(path);
  const name = path === standardInput ? 'Standard input' : path;
  if (content.trim() === '') throw new Error(`${name} is empty.`);
  try {
    return JSON.parse(content);
  } catch {
    return readYaml(name, content);
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    throw new UsageError(
      code === 'ENOENT' ? `There is no file ${path}.` : `The file ${path} cannot be read (${code}).`,
    );
  }
}

async function readYaml(name: string, content: string): Promise<unknown> {
  const { load, YAMLException } = await import('js-yaml');
  try {
    const document = load(content);
    if (typeof document === 'object' && document !== null) return document;
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const line = error.mark === undefined ? '' : ` at line ${error.mark.line + 1}`;
    throw new Error(`${name} is neither JSON nor YAML: ${error.reason}${line}.`);
  }
  throw new Error(`${name} is neither a JSON nor a YAML object.`);
}
