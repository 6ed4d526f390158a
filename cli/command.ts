import type { ArgumentsCamelCase, Argv } from 'yargs';
import { UsageError } from './errors.ts';
import type { Terminal } from './output/terminal.ts';

/** Exit codes of every command: 0 is good, 1 failed or something was found, 2 is wrong usage; 3 is what a command says of it. */
export type ExitCode = 0 | 1 | 2 | 3;

export interface CommandDefinition<Options> {
  /** Name and positional arguments as yargs writes them, e.g. `render <file>`. */
  readonly usage: string;
  /** One line of the list of commands. */
  readonly summary: string;
  /** More for the command's own help; lines are wrapped. */
  readonly description?: string | undefined;
  /** Command line (without `magnum-capi`) and what it does. */
  readonly examples: readonly (readonly [string, string])[];
  /** Must load nothing: help and completion wait for it. */
  readonly options: (yargs: Argv) => Argv<Options>;
  /**
   * Loads its work itself, by `await import`.
   * @throws UsageError for a wrong combination of arguments, any other Error for one sentence and exit code 1
   */
  readonly run: (given: ArgumentsCamelCase<Options>, terminal: Terminal) => Promise<ExitCode>;
}

/** Runs the work of the command that is called. */
export type Execute = (work: (terminal: Terminal) => Promise<ExitCode>) => Promise<void>;

export interface Command {
  readonly name: string;
  readonly addTo: (yargs: Argv, execute: Execute) => Argv;
}

export function defineCommand<Options>(definition: CommandDefinition<Options>): Command {
  const { usage, summary, description, examples, options, run } = definition;
  return {
    name: usage.replace(/ .*/s, ''),
    addTo(yargs, execute) {
      let lists: readonly unknown[] = [];
      const build = (command: Argv) => {
        const built = options(
          command
            .usage([`$0 ${usage}`, description ?? `${summary}.`].join('\n\n'))
            // Not yargs' own examples: two columns break what is to be copied.
            .epilog(['Examples:', ...examples.flatMap(([line, what]) => [`  # ${what}`, `  $0 ${line}`])].join('\n')),
        );
        lists = listOptions(built);
        return built;
      };
      return yargs.command(usage, summary, build, async (given) => {
        refuseRepeated(given, lists);
        await execute((terminal) => run(given, terminal));
      });
    },
  };
}

/** Names of the options that may be given more than once. */
function listOptions(yargs: object): readonly unknown[] {
  // Not among yargs' types.
  const read: unknown = Reflect.get(yargs, 'getOptions');
  const lists: unknown = typeof read === 'function' ? Reflect.apply(read, yargs, []).array : [];
  return Array.isArray(lists) ? lists : [];
}

/** yargs makes a list of an option that is given twice, whatever its type. */
function refuseRepeated(given: object, lists: readonly unknown[]): void {
  for (const [name, value] of Object.entries(given)) {
    if (name === '_' || !Array.isArray(value) || lists.includes(name)) continue;
    throw new UsageError(`The option ${name} is given more than once.`);
  }
}
