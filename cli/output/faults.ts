import type { Fault } from '../../shared/contract/errors.ts';
import { redactText } from '../../shared/host/redaction.ts';
import type { Paint } from './paint.ts';
import { printNote, type Terminal } from './terminal.ts';

/** Each fault as a line, and what to do about it below. */
export function faultLines(faults: readonly Fault[], paint: Paint): readonly string[] {
  return faults.flatMap(({ message, hint }) => [
    `${paint('red', '✗')} ${redactText(message)}`,
    ...(hint === undefined ? [] : [`  ${paint('dim', hint)}`]),
  ]);
}

/** On standard error. */
export function printFaults(terminal: Terminal, faults: readonly Fault[], paint: Paint): void {
  for (const line of faultLines(faults, paint)) printNote(terminal, line);
}
