import { ApiError, type ApiRequest, type Cloud, type Reply } from './api.ts';
import { errorBody, wordsFor } from './error-body.ts';
import type { Fault } from './faults.ts';
import { answerFrom } from './route.ts';
import { isPublic, type SimulatedService } from './services.ts';
import type { Token } from './state.ts';
import { validToken } from './tokens.ts';

/** A request as it came in: no token checked, the body not parsed. */
export interface RawRequest extends Omit<ApiRequest, 'token' | 'body'> {
  readonly body: string;
}

/** What the service answers: the token first, as keystonemiddleware does it, then the body, then the route. */
export function answer(service: SimulatedService, request: RawRequest, cloud: Cloud): Reply {
  try {
    const token = authenticated(service, request, cloud);
    const path = withoutProject(service, request.path, token);
    return answerFrom(service.routes, { ...request, path, token, body: parsed(service, request) }, cloud);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.status, body: errorBody(service.type, error), headers: challenge(error.status, cloud) };
  }
}

function authenticated(service: SimulatedService, request: RawRequest, cloud: Cloud): Token | null {
  const value = request.headers['x-auth-token'];
  const token = validToken(cloud, typeof value === 'string' ? value : undefined);
  if (token === null && !isPublic(service, request.method, request.path)) throw new ApiError(401, wordsFor(401));
  return token;
}

/** Nova still takes the token's project behind its version. */
function withoutProject(service: SimulatedService, path: string, token: Token | null): string {
  const prefix = `/${token?.projectId}/`;
  return service.type === 'compute' && path.startsWith(prefix) ? path.slice(prefix.length - 1) : path;
}

function parsed(service: SimulatedService, { body, headers }: RawRequest): unknown {
  if (body === '') return undefined;
  try {
    if (headers['content-type']?.startsWith('application/json') === true) return JSON.parse(body);
  } catch {
    // Refused below, as another content type is.
  }
  if (service.type !== 'identity') throw new ApiError(400, 'Malformed request body');
  const advice = 'The server could not comply with the request since it is either malformed or otherwise incorrect.';
  throw new ApiError(400, `Expecting to find valid JSON in request body. ${advice}`);
}

function challenge(status: number, cloud: Cloud): Record<string, string> {
  return status === 401 ? { 'www-authenticate': `Keystone uri="${cloud.url}/identity"` } : {};
}

/** What an injected fault answers instead. */
export function faultReply(service: string, fault: Fault, status: number): Reply {
  const message = fault.message ?? wordsFor(status);
  const body = fault.rawBody ?? errorBody(service, { status, message, type: 'HTTPError' });
  return { status, body, headers: fault.headers ?? {} };
}
