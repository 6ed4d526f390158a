import { DriverError, type ErrorCode } from '../contract/errors.ts';

/** One field that the API server objects to. */
export interface StatusCause {
  /** Path of the field, e.g. `spec.topology.version`; may be empty. */
  readonly field: string;
  /** E.g. `FieldValueInvalid`, `FieldManagerConflict`. */
  readonly reason: string;
  readonly message: string;
}

export interface KubernetesErrorDetails extends ErrorOptions {
  /** HTTP status that the API server answered with; undefined when there was no answer. */
  readonly apiStatus?: number | undefined;
  /** Reason of the API server's Status, e.g. `AlreadyExists`; empty when it gave none. */
  readonly reason?: string | undefined;
  readonly causes?: readonly StatusCause[] | undefined;
  /** Seconds that the API server asked to wait. */
  readonly retryAfter?: number | undefined;
}

interface HostAnswer {
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryable: boolean;
  readonly retryAfter?: number;
}

/**
 * A call to the API server that failed. `status` is what the host answers when nobody handles it; what the API server
 * said is in `apiStatus`, `reason` and `causes`.
 */
export class KubernetesError extends DriverError {
  override readonly name: string = 'KubernetesError';
  readonly apiStatus: number | undefined;
  readonly reason: string;
  readonly causes: readonly StatusCause[];

  constructor(message: string, details: KubernetesErrorDetails, answer: HostAnswer = unavailable) {
    super(message, { ...answer, retryAfter: details.retryAfter ?? answer.retryAfter, cause: details.cause });
    this.apiStatus = details.apiStatus;
    this.reason = details.reason ?? '';
    this.causes = details.causes ?? [];
  }
}

/** May pass, so the event is sent again. */
const unavailable: HostAnswer = { code: 'dependency_unavailable', status: 503, retryable: true, retryAfter: 5 };

/** 404 for the object or its namespace; unhandled, the event is sent again, since it may come. A kind that is not served is no NotFoundError. */
export class NotFoundError extends KubernetesError {
  override readonly name = 'NotFoundError';
  constructor(message: string, details: KubernetesErrorDetails) {
    super(message, details, { ...unavailable, code: 'not_found' });
  }
}

/** 409: `reason` tells an object that exists already (AlreadyExists) from one that another writer changed (Conflict). */
export class ConflictError extends KubernetesError {
  override readonly name = 'ConflictError';
  constructor(message: string, details: KubernetesErrorDetails) {
    super(message, details, { code: 'busy', status: 429, retryable: true, retryAfter: 2 });
  }
}

/** 400, 413 or 422: the API server or an admission webhook refuses the content; `causes` name the fields. Final. */
export class InvalidError extends KubernetesError {
  override readonly name = 'InvalidError';
  constructor(message: string, details: KubernetesErrorDetails) {
    super(message, details, { code: 'internal', status: 422, retryable: false });
  }
}

/** 401 or 403: the ServiceAccount lacks a right, or admission forbids it; sent again, since an operator can mend it. */
export class ForbiddenError extends KubernetesError {
  override readonly name = 'ForbiddenError';
}

/** No usable answer in time, or one that says to come back later. */
export class UnavailableError extends KubernetesError {
  override readonly name = 'UnavailableError';
}

export function isNotFound(error: unknown): error is NotFoundError {
  return error instanceof NotFoundError;
}

/** The object exists already. */
export function isAlreadyExists(error: unknown): error is ConflictError {
  return error instanceof ConflictError && error.reason === 'AlreadyExists';
}

/** The object is no longer the one that the write was based on: read it again. */
export function isConflict(error: unknown): error is ConflictError {
  return error instanceof ConflictError && error.reason !== 'AlreadyExists';
}

export function isInvalid(error: unknown): error is InvalidError {
  return error instanceof InvalidError;
}
