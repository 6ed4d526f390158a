import type { Terminal } from './terminal.ts';

/** Exit code of a shell for a process that SIGINT ended. */
const interrupted = 130;

/**
 * The terminal of a process. The first interrupt lets the command end by itself, the second ends the process. A reader that goes
 * away (`| head`) has what it wanted: that is no error.
 */
export function processTerminal(process: NodeJS.Process): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const ended = new AbortController();
  const interrupt = () => {
    if (ended.signal.aborted) process.exit(interrupted);
    ended.abort();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0);
      throw error;
    });
  }
  return {
    input: stdin,
    output: stdout,
    notes: stderr,
    isInteractive: stdout.isTTY === true,
    hasColours: hasColours(stdout.isTTY === true, env),
    columns: () => stdout.columns,
    rows: () => stdout.rows,
    environment: env,
    signal: ended.signal,
  };
}

/** As https://no-color.org and Node itself: NO_COLOR, even on a terminal; FORCE_COLOR, even without one. */
function hasColours(isInteractive: boolean, { NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '0') return true;
  return isInteractive && TERM !== 'dumb';
}
