import * as replies from '../../shared/contract/replies.ts';
import type { ExitCode } from '../command.ts';
import { printFaults } from '../output/faults.ts';
import { jsonText } from '../output/json-text.ts';
import type { Paint } from '../output/paint.ts';
import { paintedState, reportLines } from '../output/report-lines.ts';
import { printLine, printNote, type Terminal } from '../output/terminal.ts';
import type { FunctionAnswer } from './answer.ts';

const prefix = 'org.openstack.magnum.';

/** 0 where the function did what it was asked for. */
export function exitCodeOf(answer: FunctionAnswer): ExitCode {
  if (answer.kind === 'refused') return 1;
  return answer.kind === 'reply' && answer.attributes['type'] === `${prefix}operation.rejected.v1` ? 1 : 0;
}

/** For people: what was decided and why. @throws ZodError for a reply that is not of the contract */
export function printAnswer(terminal: Terminal, answer: FunctionAnswer, paint: Paint): void {
  if (answer.kind === 'nothing') {
    printLine(terminal, `${paint('green', '✓')} done, with nothing to say`);
  } else if (answer.kind === 'refused') {
    printNote(terminal, `${paint('red', '✗')} ${answer.message}`);
    if (answer.retryAfter !== null) printNote(terminal, `  Send it again in ${answer.retryAfter} s.`);
  } else {
    const print = printers[answer.attributes['type'] ?? ''];
    if (print === undefined) printLine(terminal, jsonText(answer.data));
    else print(terminal, answer.data, paint);
  }
}

type Printer = (terminal: Terminal, data: unknown, paint: Paint) => void;

const printers: Readonly<Record<string, Printer>> = {
  [`${prefix}operation.accepted.v1`]: (terminal, data, paint) => {
    const { stack_id, nodegroup, notes } = replies.operationAccepted.parse(data);
    const target = nodegroup === null ? stack_id : `${stack_id}, nodegroup ${nodegroup}`;
    printLine(terminal, `${paint('green', '✓')} accepted: ${target}`);
    for (const note of notes) printLine(terminal, `  ${note}`);
  },
  [`${prefix}operation.rejected.v1`]: (terminal, data, paint) => {
    printFaults(terminal, replies.operationRejected.parse(data).faults, paint);
  },
  [`${prefix}cluster.status.v1`]: (terminal, data, paint) => {
    const report = replies.clusterStatus.parse(data);
    for (const line of reportLines(report, paint, terminal.columns())) printLine(terminal, line);
  },
  [`${prefix}cluster.health.v1`]: (terminal, data, paint) => {
    const { stack_id, health_status, health_status_reason } = replies.clusterHealth.parse(data);
    printLine(terminal, `${paint('bold', stack_id)}  ${paintedState(health_status, paint)}`);
    for (const [name, reason] of Object.entries(health_status_reason)) printLine(terminal, `  ${name}: ${reason}`);
  },
};
