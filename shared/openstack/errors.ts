/** Every cause that an OpenStackError can have. */
export type OpenStackErrorCode =
  | 'authentication_failed'
  | 'permission_denied'
  | 'quota_exceeded'
  | 'bad_request'
  | 'not_found'
  | 'conflict'
  | 'rate_limited'
  | 'unavailable'
  | 'ambiguous'
  | 'service_missing'
  | 'protocol';

/** What is known about a failed call. */
export interface ErrorDetails extends ErrorOptions {
  /** Service type, as `compute`. */
  readonly service: string;
  /** HTTP status of the answer; undefined where there was none. */
  readonly status?: number | undefined;
  /** Value of `x-openstack-request-id`, to find the call in the service's log. */
  readonly requestId?: string | undefined;
  /** Seconds that the service asked to wait (Retry-After). */
  readonly retryAfter?: number | undefined;
}

interface Cause {
  readonly code: OpenStackErrorCode;
  readonly retryable: boolean;
}

/** Base of every error that the client throws. The message is one readable sentence and holds no secret of the session. */
export class OpenStackError extends Error {
  override readonly name: string = 'OpenStackError';
  readonly code: OpenStackErrorCode;
  /** Whether the same call may succeed later without a change by anybody. */
  readonly retryable: boolean;
  readonly service: string;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(message: string, details: ErrorDetails, cause: Cause) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = cause.code;
    this.retryable = cause.retryable;
    this.service = details.service;
    this.status = details.status;
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
  }
}

/**
 * 401: the token, secret or password is wrong, expired or revoked, and signing in again did not help.
 * 404 of Keystone: the application credential of a sign-in is gone, or the token's project is disabled.
 */
export class AuthenticationError extends OpenStackError {
  override readonly name = 'AuthenticationError';
  constructor(message: string, details: ErrorDetails) {
    super(message, details, { code: 'authentication_failed', retryable: false });
  }
}

/** 403: the policy of the service does not let this user do it. */
export class PermissionError extends OpenStackError {
  override readonly name = 'PermissionError';
  constructor(message: string, details: ErrorDetails) {
    super(message, details, { code: 'permission_denied', retryable: false });
  }
}

/** 403, 409 or 413 whose text says that a quota or limit is used up. */
export class QuotaError extends OpenStackError {
  override readonly name = 'QuotaError';
  constructor(message: string, details: ErrorDetails) {
    super(message, details, { code: 'quota_exceeded', retryable: false });
  }
}

/** 400, 406 and the other refusals of the request itself. */
export class BadRequestError extends OpenStackError {
  override readonly name = 'BadRequestError';
  constructor(message: string, details: ErrorDetails) {
    super(message, details, { code: 'bad_request', retryable: false });
  }
}

/** 404, or nothing has the name that was looked for. */
export class NotFoundError extends OpenStackError {
  override readonly name = 'NotFoundError';
  constructor(message: string, details: ErrorDetails) {
    super(message, details, { code: 'not_found', retryable: false });
  }
}

/** 409: the name is taken, or the thing is in a state that forbids the call. */
export class ConflictError extends OpenStackError {
  override readonly name = 'ConflictError';
  constructor(message: string, details: ErrorDetails) {
    super(message, details, { code: 'conflict', retryable: false });
  }
}

/** 429, or 413 with Retry-After: too many calls, and waiting within the session's limits did not help. */
export class RateLimitError extends OpenStackError {
  override readonly name = 'RateLimitError';
  constructor(message: string, details: ErrorDetails) {
    super(message, details, { code: 'rate_limited', retryable: true });
  }
}

/**
 * 5xx, no connection, a connection that was cut, or no answer in time.
 * `retryable` is false only where the service's certificate is not trusted.
 */
export class UnavailableError extends OpenStackError {
  override readonly name = 'UnavailableError';
  constructor(message: string, details: ErrorDetails & { readonly retryable?: boolean }) {
    super(message, details, { code: 'unavailable', retryable: details.retryable ?? true });
  }
}

/** Several things have the name that was looked for. */
export class AmbiguousError extends OpenStackError {
  override readonly name = 'AmbiguousError';
  /** Ids of the things that have the name. */
  readonly ids: readonly string[];
  constructor(message: string, details: ErrorDetails & { readonly ids: readonly string[] }) {
    super(message, details, { code: 'ambiguous', retryable: false });
    this.ids = details.ids;
  }
}

/** The catalogue has no endpoint of the service for this interface and region. */
export class ServiceMissingError extends OpenStackError {
  override readonly name = 'ServiceMissingError';
  constructor(message: string, details: ErrorDetails) {
    super(message, details, { code: 'service_missing', retryable: false });
  }
}

/** The answer is no JSON, too large, or not of the documented shape: probably not the OpenStack API at all. */
export class ProtocolError extends OpenStackError {
  override readonly name = 'ProtocolError';
  constructor(message: string, details: ErrorDetails) {
    super(message, details, { code: 'protocol', retryable: false });
  }
}
