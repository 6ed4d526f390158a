import type { Readable, Writable } from 'node:stream';

/** What a command reads from and writes to; injected, so that a command is a function of it. */
export interface Terminal {
  readonly input: Readable;
  /** Results. */
  readonly output: Writable;
  /** Everything that a script does not want to read: notes, faults, progress. */
  readonly notes: Writable;
  /** Results are read by a person: tables may be redrawn. */
  readonly isInteractive: boolean;
  readonly hasColours: boolean;
  /** Characters of a line; undefined where nothing limits it. */
  readonly columns: () => number | undefined;
  /** Lines of the screen; undefined where nothing limits it. */
  readonly rows: () => number | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborts when the user interrupts, or when nobody reads the results any more. */
  readonly signal: AbortSignal;
}

export function printLine(terminal: Terminal, line: string): void {
  terminal.output.write(`${harmless(line)}\n`);
}

/** On standard error. */
export function printNote(terminal: Terminal, line: string): void {
  terminal.notes.write(`${harmless(line)}\n`);
}

/**
 * A text that a terminal only shows. Much of what is printed was written by others, down to the sender of an event that died: of
 * what a terminal would obey only line breaks, tabs and colours are left.
 */
export function harmless(text: string): string {
  return text.replace(/\p{Cc}(\[[\d;]*m)?/gu, (found) => {
    const [control = '', colour] = [found[0], found.slice(1)];
    const isKept = control === '\n' || control === '\t' || (control === '\x1b' && colour !== '');
    return isKept ? found : `${replacement}${colour}`;
  });
}

/** Unicode's own sign for what cannot be shown. */
const replacement = '\ufffd';
