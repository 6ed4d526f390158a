import { styleText } from 'node:util';
import type { Report } from './report.ts';
import { type StateColour, stateColours } from './state-colours.ts';

type Colour = StateColour | 'dim';

/** Characters of the longest state, so that reasons stand below each other. */
const stateWidth = 'DELETE_IN_PROGRESS'.length;
const gap = '  ';

/**
 * One line for a terminal: time, cluster, state and reason.
 * @param columns of the terminal; the reason is cut where the line would be longer
 */
export function reportLine(report: Report, columns = Number.POSITIVE_INFINITY): string {
  const { stackId, state, colour, reason } = parts(report);
  const time = report.time.slice(11, 19) || '--:--:--';
  const shown = state.padEnd(stateWidth);
  const room = columns - [time, stackId, shown, ''].join(gap).length;
  return [styleText('dim', time), stackId, styleText(colour, shown), cut(reason, room)].join(gap).trimEnd();
}

function cut(text: string, room: number): string {
  return text.length > room ? `${text.slice(0, Math.max(0, room - 1))}…` : text;
}

interface Parts {
  readonly stackId: string;
  readonly state: string;
  readonly colour: Colour;
  readonly reason: string;
}

function parts(report: Report): Parts {
  if (report.kind === 'health') {
    const { stack_id: stackId, health_status: state, health_status_reason: reasons } = report.health;
    const reason = Object.entries(reasons).map(([name, value]) => `${name}: ${value}`);
    return { stackId, state: `health ${state}`, colour: colourOf(state), reason: oneLine(reason.join(', ')) };
  }
  const { stack_id: stackId, action, state, status_reason: reason } = report.status;
  const shown = action === null ? state : `${action}_${state}`;
  return { stackId, state: shown, colour: colourOf(state), reason: oneLine(reason ?? '') };
}

function colourOf(state: string): Colour {
  return stateColours[state] ?? 'dim';
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
