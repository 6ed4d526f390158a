import { DriverError, type ErrorCode } from '../contract/errors.ts';
import type { BinaryMessage } from './http-binding.ts';
import { redactText } from './redaction.ts';

/** How an event ended, for logs and metrics. */
export type Outcome =
  | 'accepted'
  | 'rejected'
  | 'ignored'
  | 'busy'
  | 'unavailable'
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'failed';

/** An HTTP answer to an event and what it means. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly outcome: Outcome;
  readonly code?: ErrorCode;
}

/** Seconds for an error that may pass and names none. */
const defaultRetryAfter = 5;

/** Statuses that a function may answer with instead of a result, each safe with every broker's and source's retry rules. */
const outcomes: Readonly<Record<number, Outcome>> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  413: 'invalid',
  429: 'busy',
  503: 'unavailable',
};

export function replyAnswer(message: BinaryMessage, rejection?: ErrorCode): Answer {
  const result =
    rejection === undefined ? { outcome: 'accepted' as const } : { outcome: 'rejected' as const, code: rejection };
  return { status: 200, ...message, ...result };
}

/** Done, with nothing to say. */
export const emptyAnswer: Answer = { status: 204, headers: {}, body: '', outcome: 'ignored' };

/**
 * The one place where errors become HTTP. What is no `DriverError` with a status of the contract is a defect and answered
 * with 503: sources drop an event at 500 and brokers retry both.
 */
export function errorAnswer(error: unknown): Answer {
  if (!(error instanceof DriverError)) return defect;
  const outcome = outcomes[error.status];
  if (outcome === undefined) return defect;
  const headers: Record<string, string> = {};
  if (error.status === 401) headers['www-authenticate'] = 'Bearer realm="magnum-functions"';
  if (error.retryable) headers['retry-after'] = String(Math.max(1, Math.ceil(error.retryAfter ?? defaultRetryAfter)));
  return problem({ status: error.status, headers, outcome, code: error.code }, error.message);
}

const defect = problem(
  { status: 503, headers: { 'retry-after': String(defaultRetryAfter) }, outcome: 'failed', code: 'internal' },
  'The function failed; its log has the details under the id of the event.',
);

function problem(answer: Omit<Answer, 'body'>, message: string): Answer {
  const body = JSON.stringify({ code: answer.code, message: redactText(message) });
  return { ...answer, headers: { ...answer.headers, 'content-type': 'application/problem+json' }, body };
}
