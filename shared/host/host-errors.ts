import { DriverError } from '../contract/errors.ts';

/** No token, or one that was not issued for these functions: 401. */
export class UnauthenticatedError extends DriverError {
  override readonly name = 'UnauthenticatedError';
  constructor(message: string, options?: ErrorOptions) {
    super(message, { ...options, code: 'unauthenticated', status: 401, retryable: false });
  }
}

/** The token's owner may not invoke the function: 403. */
export class ForbiddenError extends DriverError {
  override readonly name = 'ForbiddenError';
  constructor(message: string, options?: ErrorOptions) {
    super(message, { ...options, code: 'forbidden', status: 403, retryable: false });
  }
}

/** The body has more bytes than the limit: 413. */
export class TooLargeError extends DriverError {
  override readonly name = 'TooLargeError';
  constructor(limit: number) {
    super(`The body is larger than ${limit} bytes.`, { code: 'too_large', status: 413, retryable: false });
  }
}

/** The host takes no new events; another instance will: 503. */
export class StoppingError extends DriverError {
  override readonly name = 'StoppingError';
  constructor(options?: ErrorOptions) {
    super('This instance is shutting down.', {
      ...options,
      code: 'stopping',
      status: 503,
      retryable: true,
      retryAfter: 1,
    });
  }
}
