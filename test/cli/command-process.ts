import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export interface CommandOptions {
  /** Standard input. @default nothing */
  readonly input?: string | undefined;
  /** Further variables of its environment, which has little else. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

export interface CommandResult {
  /** null where a signal has ended it. */
  readonly exitCode: number | null;
  readonly output: string;
  /** What it said on standard error. */
  readonly notes: string;
}

const entry = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

/** A process of `magnum-capi` from source, where no terminal is. */
export function startCommand(
  args: readonly string[],
  { input = '', variables = {} }: CommandOptions = {},
): ChildProcessWithoutNullStreams {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, KUBECONFIG: '/nowhere', ...variables };
  const child = spawn(process.execPath, [entry, ...args], { env, stdio: 'pipe' });
  // It may end before it has read everything.
  child.stdin.on('error', () => undefined).end(input);
  return child;
}

/** Runs `magnum-capi` to its end. */
export async function runCommand(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  const child = startCommand(args, options);
  const [output, notes, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { exitCode: typeof exitCode === 'number' ? exitCode : null, output, notes };
}
