import type { Argv } from 'yargs';
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
  if (format === 'json') printLine(terminal, JSON.stringify(value, null, 2));
  else terminal.output.write(await yamlOf(value));
}

/** One YAML document, with a newline at its end. */
export async function yamlOf(value: unknown): Promise<string> {
  const { dump } = await import('js-yaml');
  return dump(value, { lineWidth: -1, noRefs: true });
}
