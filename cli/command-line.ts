import yargs, { type Argv } from 'yargs';
import packageJson from '../package.json' with { type: 'json' };
import type { Execute, ExitCode } from './command.ts';
import { commands } from './commands.ts';
import { completionQuestion, offeredWords, questionToYargs } from './completion/completed-words.ts';
import { sentenceOf, UsageError } from './errors.ts';
import { standardInput } from './event/read-document.ts';
import { printNote, type Terminal } from './output/terminal.ts';

/** Characters of a line of help, at most: longer lines are hard to read. */
const widest = 100;

/**
 * Runs one command line.
 * @param args without node and the script
 * @returns the exit code; errors are told on standard error, in a sentence
 */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  const execute: Execute = async (work) => {
    exitCode = await work(terminal);
  };
  const width = Math.min(widest, terminal.columns() ?? widest);
  try {
    const text = await textOf(createParser(execute, width), args);
    if (text !== '') terminal.output.write(`${text}\n`);
    return exitCode;
  } catch (error) {
    return failure(terminal, error, args[0]);
  }
}

/** @param width characters of a line of help */
export function createParser(execute: Execute, width: number): Argv {
  const parser = yargs()
    .scriptName('magnum-capi')
    // Messages in one language, whatever the machine's: they end up in tickets and in docs/cli.md.
    .locale('en')
    // A list is given by naming its option again: it must not take the arguments that follow.
    .parserConfiguration({ 'greedy-arrays': false, 'parse-positional-numbers': false })
    .usage('$0 <command>\n\nLooks at Magnum clusters of Cluster API and helps to run them.')
    .strict()
    .recommendCommands()
    .demandCommand(1, 'Name a command.')
    .version(packageJson.version)
    .help()
    .alias('help', 'h')
    .wrap(width)
    .fail((message, error: unknown) => {
      throw error === undefined || isOfParser(error) ? new UsageError(message) : error;
    });
  return commands.reduce((rest, command) => command.addTo(rest, execute), parser);
}

/** yargs throws what it finds while it splits the arguments, and only tells what it finds later; its class is not exported. */
function isOfParser(error: unknown): boolean {
  return error instanceof Error && error.name === 'YError';
}

/** Parses and runs. @returns what yargs itself has to print: help, version, completions */
async function textOf(parser: Argv, args: readonly string[]): Promise<string> {
  if (args[0] === completionQuestion) return offeredWords(args, await parse(parser, questionToYargs(args)));
  // yargs loses an argument that is a mere dash.
  return parse(
    parser,
    args.map((argument) => (argument === '-' ? standardInput : argument)),
  );
}

async function parse(parser: Argv, args: readonly string[]): Promise<string> {
  let text = '';
  await parser.parseAsync([...args], {}, (_error, _given, output) => {
    text = output;
  });
  return text;
}

function failure(terminal: Terminal, error: unknown, first: string | undefined): ExitCode {
  if (terminal.signal.aborted) return 1;
  printNote(terminal, `magnum-capi: ${sentenceOf(error)}`);
  if (!(error instanceof UsageError)) return 1;
  const named = commands.some(({ name }) => name === first) ? `${first} --help` : '--help';
  printNote(terminal, `Try "magnum-capi ${named}".`);
  return 2;
}
