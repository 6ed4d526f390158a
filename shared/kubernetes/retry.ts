import { retryAfterOfBody } from './status-error.ts';
import type { HttpAnswer, TransportError } from './transport.ts';

/** Enough to get over the change of an API server or of etcd's leader, which takes a few seconds. */
const maxAttempts = 6;
/** A first wait that a short overload does not notice. */
const firstDelayMs = 100;
/** Whoever asks for more is overloaded for longer than an event should be held; the sender waits instead. */
const longestWaitMs = 10_000;
/** Passed on to the sender; beyond this a number is a mistake of whoever wrote it. */
const maxRetryAfter = 300;

/** What an attempt came to when it was no success. */
export type Outcome =
  | { readonly kind: 'answer'; readonly answer: HttpAnswer; readonly retryAfter: number | undefined }
  | { readonly kind: 'failure'; readonly error: TransportError };

/**
 * Milliseconds to wait before the next attempt; undefined when there should be none. What is sent again:
 *
 * | outcome | a repeatable call | any other |
 * |---|---|---|
 * | never sent: refused, unknown host, kept connection found closed | yes | yes: the server cannot have acted |
 * | connection lost or time limit after sending | yes | no: the server may have acted |
 * | 429 | yes | yes: refused before it is processed |
 * | 500 with Retry-After | yes: the API server says that it only ran out of time | no |
 * | 502, 503, 504 | yes: restarts, leader changes, load balancers | no: the write may have passed |
 * | certificate not trusted, any other answer | no: it would be the same | no |
 *
 * Repeatable are reads, server-side apply, a delete with preconditions, and what its caller declares so. Retry-After is
 * honoured for all of them up to 10 s; else waits double from 100 ms, with jitter so that many callers do not come back at once.
 */
export function retryDelay(
  outcome: Outcome,
  call: { readonly repeatable: boolean; readonly attempt: number },
): number | undefined {
  if (call.attempt >= maxAttempts || !isPassing(outcome, call.repeatable)) return undefined;
  const ownDelay = firstDelayMs * 2 ** (call.attempt - 1) * (0.5 + Math.random() / 2);
  const askedFor = (outcome.kind === 'answer' ? (outcome.retryAfter ?? 0) : 0) * 1_000;
  return askedFor > longestWaitMs ? undefined : Math.max(ownDelay, askedFor);
}

function isPassing(outcome: Outcome, repeatable: boolean): boolean {
  if (outcome.kind === 'failure') return outcome.error.passing && (repeatable || outcome.error.neverSent);
  const { status } = outcome.answer;
  if (status === 429) return true;
  if (!repeatable) return false;
  return status === 502 || status === 503 || status === 504 || (status === 500 && outcome.retryAfter !== undefined);
}

/** Seconds that an answer asks to wait: its Retry-After header (seconds or a date), else the number in its body. */
export function retryAfterOf(answer: HttpAnswer, now: number): number | undefined {
  if (answer.status !== 429 && answer.status < 500) return undefined;
  const header = answer.headers['retry-after'];
  const seconds = header === undefined ? retryAfterOfBody(answer.body) : secondsOf(header, now);
  return seconds === undefined ? undefined : Math.min(seconds, maxRetryAfter);
}

function secondsOf(header: string, now: number): number | undefined {
  if (/^\d+$/.test(header)) return Number(header);
  const until = Date.parse(header);
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil((until - now) / 1_000));
}
