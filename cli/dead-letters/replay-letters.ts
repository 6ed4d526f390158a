import type { KeptLetter } from '../../shared/dead-letters/dead-letter.ts';
import { type CarriedEvent, readCarriedEvent } from '../../shared/event/carried-event.ts';
import { redactText } from '../../shared/host/redaction.ts';
import type { BrokerEntrance } from './broker-entrance.ts';

/** What became of a letter that was to be sent again. */
export interface ReplayOutcome {
  readonly name: string;
  /**
   * `replayed`: taken, and the letter is gone. `again`: taken, but meanwhile the same event had died once more, so the letter stays.
   * `refused`: not taken. `incomplete`: not sent, since the letter is not the whole event.
   */
  readonly outcome: 'replayed' | 'again' | 'refused' | 'incomplete';
  /** What the broker said; '' where that was nothing. */
  readonly detail: string;
}

export interface ReplayOptions {
  readonly entrance: BrokerEntrance;
  /** Deletes a letter; false where it has changed. */
  readonly remove: (letter: KeptLetter) => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** Characters of an answer. */
const longestDetail = 200;

/**
 * Sends letters one after the other, the oldest first, and tells of each as soon as it is known. A letter goes only when the broker has it.
 * @throws Error in one sentence where the broker cannot be reached: the rest would not fare better
 */
export async function* replayLetters(
  letters: readonly KeptLetter[],
  options: ReplayOptions,
): AsyncGenerator<ReplayOutcome> {
  for (const letter of letters) {
    options.signal.throwIfAborted();
    yield await replayLetter(letter, options);
  }
}

async function replayLetter(letter: KeptLetter, { entrance, remove, signal }: ReplayOptions): Promise<ReplayOutcome> {
  const { name } = letter;
  if (!letter.isWhole) return { name, outcome: 'incomplete', detail: 'something of it was hidden or cut' };
  const { status, text } = await entrance.send(carried(letter), signal);
  if (status < 200 || status > 299) {
    return { name, outcome: 'refused', detail: `${status} ${redactText(text).trim().slice(0, longestDetail)}`.trim() };
  }
  return { name, outcome: (await remove(letter)) ? 'replayed' : 'again', detail: '' };
}

/** The event as it was first sent: its id is the same, so whoever had it already takes it for the same one. */
function carried({ event }: KeptLetter): CarriedEvent {
  const rawHeaders = ['content-type', 'application/cloudevents+json'];
  return readCarriedEvent({ rawHeaders, body: Buffer.from(JSON.stringify(event)) });
}
