import type { ApiError } from '../openstack/api.ts';
import { errorBody } from '../openstack/error-body.ts';

/** The services that CAPO asks, below the simulated cloud's URL. */
const roots = {
  compute: '/compute/v2.1',
  network: '/network/v2.0',
  'block-storage': '/volume/v3',
  'load-balancer': '/load-balancer/v2.0',
} as const;

export interface RefusedRequest {
  readonly service: keyof typeof roots;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the service's version, as `/servers`. */
  readonly path: string;
  /** The statuses that gophercloud takes for success. */
  readonly expected: readonly number[];
}

/** What gophercloud 2.10 makes of a refused request (errors.go, ErrUnexpectedResponseCode). */
export function requestError(
  cloudUrl: string,
  request: RefusedRequest,
  refusal: Pick<ApiError, 'status' | 'message' | 'type'>,
): Error {
  const { service, method, path, expected } = request;
  const where = `[${method} ${cloudUrl}${roots[service]}${path}]`;
  const body = pythonJson(errorBody(service, refusal));
  return new Error(
    `Expected HTTP response code [${expected.join(' ')}] when accessing ${where}, but got ${refusal.status} instead: ${body}`,
  );
}

/** JSON with a space after each comma and colon, as the services write it. */
function pythonJson(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replace(/,\n\s*/g, ', ')
    .replace(/\n\s*/g, '');
}
