import type { Condition } from '../views/condition.ts';
import { withCloudWords } from './cloud-error.ts';

/** Longer texts of others are cut, so that one cannot push the rest out of the reason. */
const longestText = 400;
/** Say nothing to a user of Magnum: Cluster API logged an error, or knows no more than that something is not ready. */
const boilerplate = [
  /^Please check controller logs for errors$/,
  /^\w+ status\.[\w.]+ is (?:false|true)$/,
  /^\w+: Condition not yet reported$/,
  /^Control plane not yet initialized$/,
];

/**
 * A text of another system as a part of a sentence: one line, without control characters and without the bullets of Cluster
 * API's nested messages; '' where it says nothing.
 */
export function plainText(text: string): string {
  const lines = withCloudWords(text)
    .split(/[\r\n]+/)
    .map((line) =>
      withoutControls(line)
        .replace(/^(?:\s*\*\s+)+/, '')
        .trim(),
    )
    .filter((line) => line !== '' && !boilerplate.some((pattern) => pattern.test(line)));
  return shortened(lines.reduce(joined, ''));
}

/** After `Machine x:` comes what it is about, after anything else the next point. */
function joined(text: string, line: string): string {
  if (text === '') return line;
  return /[:;,]$/.test(text) ? `${text} ${line}` : `${text}; ${line}`;
}

function withoutControls(line: string): string {
  return line
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replace(/\s+/g, ' ');
}

function shortened(text: string): string {
  const characters = Array.from(text);
  return characters.length <= longestText ? text : `${characters.slice(0, longestText - 1).join('')}…`;
}

/** `subject: message.`, or `subject.` where there is no message. */
export function sentence(subject: string, message = ''): string {
  const plain = plainText(message);
  const text = plain === '' ? plainText(subject) : `${plainText(subject)}: ${plain}`;
  return /[.!?\u2026]$/.test(text) ? text : `${text}.`;
}

/** What a condition says of the subject, or only its reason where it has no message. */
export function because(subject: string, condition: Said | undefined): string {
  return sentence(subject, condition === undefined ? '' : tellOf(condition));
}

export type Said = Pick<Condition, 'message' | 'reason'>;

/** The condition's message, else its reason in words; '' where that only says no, as `NotReady`. */
export function tellOf({ message, reason }: Said): string {
  if (plainText(message) !== '') return message;
  return /^Not[A-Z]/.test(reason) ? '' : inWords(reason);
}

/** The same as the rest of a sentence; what is being waited for begins with `waiting`. */
export function toldOf(said: Said): string {
  return plainText(tellOf(said)).replace(/^(?:\w+: )?[Ww]aiting (?=for |to )/, 'waiting ');
}

/** `WaitingForBootstrapData` as `waiting for bootstrap data`. */
function inWords(reason: string): string {
  return reason.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase());
}
