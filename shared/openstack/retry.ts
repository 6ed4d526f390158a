/** Time as the client sees it; tests inject their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** A number from 0 to below 1, for jitter. */
  random(): number;
}

/**
 * When a call is sent again.
 *
 * - GET and DELETE, and POST of a sign-in: after 429, 502, 503, 504, after 413 with Retry-After, and after a
 *   connection error or an attempt that ran out of time; GET after 500 too.
 * - Any other POST: after 429 or 503 with Retry-After, and where no byte of it can have reached the service
 *   (connection refused, name not resolved). Otherwise it might be done twice.
 * - A certificate that is not trusted: never.
 *
 * The wait is Retry-After where the service sends it, else `baseDelayMs` doubled each time, of which a random half is jitter.
 * A wait that would pass the call's total time limit is not begun: the last error is thrown.
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
