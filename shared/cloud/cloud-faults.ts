import { OpenStackError, type OpenStackErrorCode } from 'openstack-client-ts';
import { DependencyError, type ErrorCode, type Fault, RejectedError } from '../contract/errors.ts';

/** What the user, or the operator of the cloud, can mend; the other codes may pass by themselves. */
const mendable: Partial<Record<OpenStackErrorCode, ErrorCode>> = {
  authentication_failed: 'permission_denied',
  permission_denied: 'permission_denied',
  quota_exceeded: 'quota_exceeded',
  bad_request: 'invalid_field',
  not_found: 'not_found',
  ambiguous: 'ambiguous',
  service_missing: 'not_found',
};

/**
 * The fault that an answer of OpenStack means for the user.
 * @throws DependencyError where sending the request again may help; any other error as it is
 */
export function toFault(error: unknown, field: string | null): Fault {
  if (!(error instanceof OpenStackError)) throw error;
  const code = mendable[error.code];
  if (code === undefined) {
    const retryAfter = error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter };
    throw new DependencyError(error.message, { cause: error, ...retryAfter });
  }
  if (error.code === 'authentication_failed') return refusedCredential(code, error);
  return field === null
    ? { code, message: error.message }
    : { code, message: `Field ${field}: ${error.message}`, field };
}

/** No field of the request is to blame. */
function refusedCredential(code: ErrorCode, error: OpenStackError): Fault {
  return {
    code,
    message: `Keystone does not accept the credential: ${error.message}`,
    hint: "Send the request again with a new token, or rotate the cluster's credential.",
  };
}

/**
 * Runs one step against OpenStack.
 * @throws RejectedError where the user can mend it, DependencyError where sending the request again may help
 */
export async function askCloud<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw new RejectedError([toFault(error, null)], { cause: error });
  }
}

/** Gathers the faults of many lookups, so that the user sees all of them at once. */
export interface FaultCollector {
  /** The answer; null where it was a fault, which is kept. */
  lookUp<T>(field: string, step: () => Promise<T> | T): Promise<T | null>;
  add(fault: Fault): void;
  /** @throws RejectedError with all faults, if there are any */
  throwIfAny(): void;
}

export function collectFaults(): FaultCollector {
  const faults: Fault[] = [];
  // Several lookups may fail for one reason.
  const add = (fault: Fault) => {
    if (!faults.some(({ message }) => message === fault.message)) faults.push(fault);
  };
  return {
    async lookUp(field, step) {
      try {
        return await step();
      } catch (error) {
        add(toFault(error, field));
        return null;
      }
    },
    add,
    throwIfAny() {
      const [first, ...others] = faults;
      if (first !== undefined) throw new RejectedError([first, ...others]);
    },
  };
}
