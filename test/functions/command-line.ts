import { parseArgs } from 'node:util';

export interface Command<Switch extends string> {
  /** Names of its switches; `--help` is one of every command. */
  readonly switches: readonly Switch[];
  readonly usage: string;
  /** @returns the exit code */
  readonly run: (switches: Readonly<Record<Switch, boolean>>) => Promise<number>;
}

/** Runs a command with the process's arguments: exit code 2 for wrong usage, 1 with one line for what goes wrong. */
export async function runCommand<Switch extends string>(command: Command<Switch>): Promise<void> {
  const given = readSwitches(command.switches);
  if (typeof given === 'string') {
    console.error(`${given}\n\n${command.usage}`);
    process.exitCode = 2;
  } else if (given.has('help')) {
    console.log(command.usage);
  } else {
    const pairs = command.switches.map((name) => [name, given.has(name)] as const);
    process.exitCode = await command.run(Object.fromEntries(pairs) as Record<Switch, boolean>).catch(report);
  }
}

/** @returns the switches that are given, or a sentence on what is wrong with them */
function readSwitches(names: readonly string[]): Set<string> | string {
  const options = Object.fromEntries([...names, 'help'].map((name) => [name, { type: 'boolean' as const }]));
  try {
    const { values } = parseArgs({ options });
    return new Set(Object.keys(values));
  } catch (error) {
    return `${error instanceof Error ? error.message : error}.`;
  }
}

function report(error: unknown): number {
  console.error(error instanceof Error ? error.message : error);
  return 1;
}
