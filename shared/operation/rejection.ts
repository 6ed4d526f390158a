import { type ErrorCode, RejectedError } from '../contract/errors.ts';

/** An operation that is refused for one reason. */
export function rejection(
  code: ErrorCode,
  message: string,
  details: { readonly field?: string; readonly hint?: string } = {},
): RejectedError {
  return new RejectedError([{ code, message, ...details }]);
}
