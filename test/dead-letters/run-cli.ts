import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommandLine } from '../../cli/command-line.ts';

export interface CliRun {
  readonly exitCode: number;
  /** Standard output. */
  readonly output: string;
  /** Standard error. */
  readonly notes: string;
}

/** Runs a command line as from a script: no colours, no limit of a line. */
export async function runCli(...args: readonly string[]): Promise<CliRun> {
  const [input, output, notes] = [new PassThrough().end(), new PassThrough(), new PassThrough()];
  const written = Promise.all([text(output), text(notes)]);
  const exitCode = await runCommandLine(args, {
    input,
    output,
    notes,
    isInteractive: false,
    hasColours: false,
    columns: () => undefined,
    rows: () => undefined,
    environment: {},
    signal: AbortSignal.timeout(60_000),
  });
  output.end();
  notes.end();
  const [printed, noted] = await written;
  return { exitCode, output: printed, notes: noted };
}
