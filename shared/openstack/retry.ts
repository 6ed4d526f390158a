import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpAnswer, TransportError } from './transport.ts';

/** Time as the client sees it; tests inject their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** A number from 0 to below 1, for jitter. */
  random(): number;
}

export const systemClock: Clock = { now: Date.now, sleep, random: Math.random };

/**
 * When a call is sent again.
 *
 * - GET, DELETE and the POST of a sign-in: after 429, 502, 503, 504, after 413 with Retry-After, and after a
 *   connection error or an attempt that ran out of time; GET after 500 too.
 * - Any other POST: after 429 or 503 with Retry-After, and where nothing of it can have reached the service
 *   (connection refused, name not resolved). Otherwise it might be done twice.
 * - A certificate that is not trusted: never.
 *
 * The wait is Retry-After where the service sends it, else `baseDelayMs` doubled each time, of which a random half is
 * jitter. A wait that would pass the call's total time limit is not begun: the last error is thrown.
 */
export interface RetryOptions {
  /** How often a call is sent again at most. @default 3 */
  readonly limit?: number;
  /** Wait before the first repetition, in ms. @default 200 */
  readonly baseDelayMs?: number;
  /** Longest wait without Retry-After, in ms. @default 5_000 */
  readonly maxDelayMs?: number;
  /** A Retry-After beyond this is not waited for: the error is thrown with its `retryAfter`. In ms. @default 10_000 */
  readonly maxRetryAfterMs?: number;
}

export const retryDefaults: Required<RetryOptions> = {
  limit: 3,
  baseDelayMs: 200,
  maxDelayMs: 5_000,
  maxRetryAfterMs: 10_000,
};

/** How one attempt ended. */
export type Outcome =
  | { readonly answer: HttpAnswer; readonly failure?: undefined }
  | { readonly answer?: undefined; readonly failure: TransportError };

export interface RetryRequest {
  readonly method: string;
  /** Whether doing it twice is the same as doing it once. */
  readonly idempotent: boolean;
}

/** Retry-After in ms, from seconds or an HTTP date; undefined where there is none that can be read. */
export function retryAfterMs(answer: HttpAnswer, now: number): number | undefined {
  const text = answer.headers['retry-after'];
  if (text === undefined) return undefined;
  const ms = /^\s*\d+\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function isRepeatable(request: RetryRequest, outcome: Outcome, hasRetryAfter: boolean): boolean {
  if (outcome.failure !== undefined) {
    const { failure } = outcome.failure;
    return failure === 'unreachable' || (request.idempotent && (failure === 'cut' || failure === 'timeout'));
  }
  const { status } = outcome.answer;
  if (!request.idempotent) return hasRetryAfter && (status === 429 || status === 503);
  if (status === 413) return hasRetryAfter;
  if (status === 500) return request.method === 'GET';
  return [429, 502, 503, 504].includes(status);
}

/** The wait before the next attempt, in ms; undefined where the contract of `RetryOptions` allows none. */
export function retryDelay(
  request: RetryRequest,
  outcome: Outcome,
  state: { readonly attempt: number; readonly options: Required<RetryOptions>; readonly clock: Clock },
): number | undefined {
  const { attempt, options, clock } = state;
  const asked = outcome.answer === undefined ? undefined : retryAfterMs(outcome.answer, clock.now());
  if (attempt >= options.limit || !isRepeatable(request, outcome, asked !== undefined)) return undefined;
  if (asked !== undefined) return asked <= options.maxRetryAfterMs ? asked : undefined;
  const delay = Math.min(options.baseDelayMs * 2 ** attempt, options.maxDelayMs);
  return delay / 2 + (delay / 2) * clock.random();
}
