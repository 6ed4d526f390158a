import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer, text } from 'node:stream/consumers';
import { ImageError } from './image-error.ts';

export interface ProgramOptions {
  /** Working directory. @default this process's */
  readonly folder?: string;
  /** @default this process's */
  readonly environment?: NodeJS.ProcessEnv;
}

/**
 * Runs a program and returns what it prints.
 * @throws {ImageError} when there is no such program, or with its complaint where it fails
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  { folder, environment }: ProgramOptions = {},
): Promise<Buffer> {
  const child = spawn(program, args, { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close').catch((cause: unknown) => {
    throw new ImageError(`There is no program "${program}".`, { cause });
  });
  const [output, complaint, [code]] = await Promise.all([buffer(child.stdout), text(child.stderr), ended]);
  if (code === 0) return output;
  const lines = complaint.trim().split('\n').slice(-5).join('\n');
  throw new ImageError(`"${program} ${args[0] ?? ''}" failed:\n${lines}`);
}
