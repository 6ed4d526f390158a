import type { KeptLetter } from '../../shared/dead-letters/dead-letter.ts';
import { textAt } from '../../shared/status/views/json-part.ts';
import { shortDuration } from '../output/duration.ts';
import { jsonText } from '../output/json-text.ts';
import { oneLine } from '../output/one-line.ts';
import type { Paint } from '../output/paint.ts';
import { table } from '../output/table.ts';

const titles = ['NAME', 'AGE', 'TYPE', 'ABOUT', 'DESTINATION', 'CODE', 'REASON'];

export interface TextOptions {
  readonly paint: Paint;
  /** Characters of a line; undefined = no limit. */
  readonly columns: number | undefined;
  readonly now: Date;
}

/** One line a letter. */
export function letterTable(letters: readonly KeptLetter[], { paint, columns, now }: TextOptions): readonly string[] {
  const rows = letters.map((letter) => [
    letter.name,
    shortDuration(now.getTime() - letter.received.getTime()),
    shortType(letter.event.type),
    aboutOf(letter),
    hostOf(letter.destination),
    paint('red', letter.code || '-'),
    reasonOf(letter),
  ]);
  return table(titles, rows, { columns });
}

/** Everything that is known of a letter. */
export function letterLines(letter: KeptLetter, { paint, now }: TextOptions): readonly string[] {
  const { name, event, received, destination, code } = letter;
  const age = shortDuration(now.getTime() - received.getTime());
  return [
    paint('bold', name),
    `  type         ${oneLine(event.type)}`,
    `  about        ${oneLine(aboutOf(letter))}`,
    `  received     ${received.toISOString()}, ${age} ago`,
    `  destination  ${oneLine(destination) || 'unknown'}`,
    `  answer       ${paint('red', oneLine(`${code} ${reasonOf(letter)}`) || 'unknown')}`,
    ...(letter.isWhole ? [] : [`  ${paint('yellow', 'Something was hidden or cut: it cannot be sent again.')}`]),
    ...jsonText(event)
      .split('\n')
      .map((line) => `  ${line}`),
  ];
}

/** For -o json|yaml. */
export function letterDocument({ name, received, destination, code, reason, isWhole, event }: KeptLetter): object {
  return { name, received: received.toISOString(), destination, code, reason, whole: isWhole, event };
}

function shortType(type: string): string {
  return type.replace(/^(?:org\.openstack\.magnum|dev\.knative)\./, '').replace(/\.v1$/, '');
}

/** The cluster's stack id, or the object that changed; else the subject. */
function aboutOf({ event }: KeptLetter): string {
  return textAt(event, 'data', 'stack_id') ?? textAt(event, 'data', 'name') ?? (event.subject || '-');
}

function hostOf(destination: string): string {
  return URL.parse(destination)?.host ?? '-';
}

/** A function says in JSON what is wrong. */
function reasonOf({ reason }: KeptLetter): string {
  try {
    return textAt(JSON.parse(reason), 'message') ?? reason;
  } catch {
    return reason;
  }
}
