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
  const lines = lastLines(logPath);
  const end = lines === '' ? 'is empty.' : `ends with:\n${lines}`;
  const portTaken = /address already in use/i.test(lines);
  return new ControlPlaneError(`${what} Its log, ${logPath}, ${end}`, { cause, portTaken });
}

function lastLines(path: string): string {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-shownLines).join('\n');
  } catch {
    return '';
  }
}
