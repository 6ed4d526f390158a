import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

export interface CommandOptions {
  /** @default this process's */
  readonly directory?: string;
  /** @default this process's */
  readonly environment?: NodeJS.ProcessEnv;
}

/** A command that failed; the message is its command line with the end of what it complained about, or said. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** Whether there is no such program at all. */
  readonly missing: boolean;

  constructor(message: string, options: ErrorOptions & { readonly missing: boolean }) {
    super(message, options);
    this.missing = options.missing;
  }
}

/**
 * Runs a program, which ends with this process at the latest, and returns what it prints.
 * @throws {CommandError} when there is no such program, or it fails.
 */
export async function runCommand(
  program: string,
  args: readonly string[],
  { directory, environment }: CommandOptions = {},
): Promise<string> {
  const child = spawn(program, args, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'], env: environment });
  const stop = () => child.kill();
  process.once('exit', stop);
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  try {
    const [output, complaint, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    if (code === 0) return output;
    const message = `"${program} ${args.join(' ')}" failed:\n${lastLines(complaint.trim() === '' ? output : complaint)}`;
    throw new CommandError(message, { missing: false });
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    throw new CommandError(`"${program}" cannot be run.`, { missing: true, cause });
  } finally {
    process.off('exit', stop);
  }
}

function lastLines(output: string): string {
  return output.trimEnd().split('\n').slice(-15).join('\n');
}
