import { redactText } from '../../shared/host/redaction.ts';
import type { Paint } from './paint.ts';
import { printNote, type Terminal } from './terminal.ts';

/** As much of a fault as a person reads. */
interface ToldFault {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** Each fault as a line, and what to do about it below. */
export function faultLines(faults: readonly ToldFault[], paint: Paint): readonly string[] {
  return faults.flatMap(({ message, hint }) => [
    `${paint('red', '✗')} ${redactText(message)}`,
    ...(hint === undefined ? [] : [`  ${paint('dim', hint)}`]),
  ]);
}

/** On standard error. */
export function printFaults(terminal: Terminal, faults: readonly ToldFault[], paint: Paint): void {
  for (const line of faultLines(faults, paint)) printNote(terminal, line);
}
