import type { Argv } from 'yargs';
import { jsonText } from './json-text.ts';
import { printLine, type Terminal } from './terminal.ts';

/** For scripts; without one a command prints for people. */
export type Format = 'json' | 'yaml';

export interface FormatOptions {
  output: Format | undefined;
}

/** Adds `-o json|yaml`. */
export function formatOption<T>(yargs: Argv<T>): Argv<T & FormatOptions> {
  return yargs.option('output', {
    alias: 'o',
    choices: ['json', 'yaml'] as const,
    describe: 'Print for scripts',
    requiresArg: true,
  });
}

export async function printFormatted(terminal: Terminal, value: unknown, format: Format): Promise<void> {
  if (format === 'json') return printLine(terminal, jsonText(value));
  const { yamlDocuments } = await import('./yaml-documents.ts');
  terminal.output.write(yamlDocuments([value]));
}
