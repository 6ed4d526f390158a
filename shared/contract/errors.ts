/** Every code that a rejected operation or a refused request can carry, with what it means; docs/events.md lists them. */
export const errorCodes = {
  invalid_event: 'The request is no valid CloudEvent, or its data does not match the schema of its type.',
  unauthenticated: 'The bearer token is missing, expired or not meant for these functions.',
  forbidden: 'The bearer token is valid, but its owner may not invoke this function.',
  too_large: 'The body is larger than the limit.',
  busy: 'Another operation holds the Lease of this cluster; the request may be sent again.',
  dependency_unavailable: 'Kubernetes or OpenStack did not answer usably; the request may be sent again.',
  stopping: 'This instance is shutting down; the request may be sent again.',
  internal: 'A defect of the function; its log has the details under the id of the event.',
  invalid_label: 'A label has a value that cannot be used.',
  invalid_field: 'A field of the cluster, its template or a nodegroup has a value that cannot be used.',
  not_found: 'Something that the request names does not exist in the cloud or in the management cluster.',
  ambiguous: 'Several things in the cloud have the name that the request gives.',
  permission_denied: 'The cloud refused the call with the given credential.',
  quota_exceeded: 'The cloud refused the call because a quota is used up.',
  unsupported: 'The driver does not support this operation.',
  superseded: 'A newer operation on the same target was accepted before this one.',
  in_progress: 'Something else is still going on that the operation has to wait for; send it again later.',
  upgrade_required: "The cluster's own class is too old for this request: upgrade the cluster first.",
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** One reason why a request cannot be carried out, ready to be shown to the user. */
export interface Fault {
  readonly code: ErrorCode;
  /** One readable sentence that names the label or field. */
  readonly message: string;
  /** Where the value stands, e.g. `labels.kube_tag`, `nodegroups.default-worker.flavor_id`. */
  readonly field?: string;
  /** What to do about it. */
  readonly hint?: string;
}

interface DriverErrorOptions extends ErrorOptions {
  readonly code: ErrorCode;
  /** HTTP status with which the host answers. */
  readonly status: number;
  /** Whether the same request may succeed when it is sent again. */
  readonly retryable: boolean;
  /** Seconds for the Retry-After header. */
  readonly retryAfter?: number | undefined;
}

/** Base of every error that a function answers with; the host maps `status` and `retryAfter` to HTTP in one place. */
export class DriverError extends Error {
  override readonly name: string = 'DriverError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryable: boolean;
  readonly retryAfter: number | undefined;

  constructor(message: string, options: DriverErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code;
    this.status = options.status;
    this.retryable = options.retryable;
    this.retryAfter = options.retryAfter;
  }
}

/** The request is no valid event: 400, never sent again. */
export class InvalidEventError extends DriverError {
  override readonly name = 'InvalidEventError';
  constructor(message: string, options?: ErrorOptions) {
    super(message, { ...options, code: 'invalid_event', status: 400, retryable: false });
  }
}

/** The operation is refused for reasons that the user can read and mend: 200 with an `operation.rejected` event. */
export class RejectedError extends DriverError {
  override readonly name = 'RejectedError';
  readonly faults: readonly [Fault, ...Fault[]];

  constructor(faults: readonly [Fault, ...Fault[]], options?: ErrorOptions) {
    super(faults.map((fault) => fault.message).join(' '), {
      ...options,
      code: faults[0].code,
      status: 200,
      retryable: false,
    });
    this.faults = faults;
  }
}

/** Another operation holds the Lease of the cluster: 429. */
export class BusyError extends DriverError {
  override readonly name = 'BusyError';
  constructor(message: string, options?: ErrorOptions & { readonly retryAfter?: number }) {
    super(message, { ...options, code: 'busy', status: 429, retryable: true, retryAfter: options?.retryAfter ?? 2 });
  }
}

/** Kubernetes or OpenStack is down, slow, or fails in a way that may pass: 503. */
export class DependencyError extends DriverError {
  override readonly name = 'DependencyError';
  constructor(message: string, options?: ErrorOptions & { readonly retryAfter?: number }) {
    super(message, {
      ...options,
      code: 'dependency_unavailable',
      status: 503,
      retryable: true,
      retryAfter: options?.retryAfter ?? 5,
    });
  }
}
