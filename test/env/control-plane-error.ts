import { readFileSync } from 'node:fs';

const shownLines = 15;

/** The control plane did not start; the message names the part, its log, and the last lines of that. */
export class ControlPlaneError extends Error {
  override readonly name = 'ControlPlaneError';
  /** Whether another process took a port between its choice and its use: another attempt may succeed. */
  readonly portTaken: boolean;

  constructor(message: string, options?: ErrorOptions & { readonly portTaken?: boolean }) {
    super(message, options);
    this.portTaken = options?.portTaken ?? false;
  }
}

/** @param what One sentence on what happened to the part that writes the log. */
export function partError(what: string, logPath: string, cause?: unknown): ControlPlaneError {
  const log = readLog(logPath);
  const lines = log.split('\n').slice(-shownLines).join('\n');
  const end = lines === '' ? 'is empty.' : `ends with:\n${lines}`;
  return new ControlPlaneError(`${what} Its log, ${logPath}, ${end}`, {
    cause,
    portTaken: /address already in use/i.test(log),
  });
}

function readLog(path: string): string {
  try {
    return readFileSync(path, 'utf8').trimEnd();
  } catch {
    return '';
  }
}
