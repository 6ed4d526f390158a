import { ApiError, type Cloud, type RawRequest, type Reply } from './api.ts';
import { missingCredential } from './application-credential-api.ts';
import { errorBody, wordsFor } from './error-body.ts';
import type { Fault } from './faults.ts';
import { answerFrom } from './route.ts';
import { isPublic, type SimulatedService } from './services.ts';
import type { Token } from './state.ts';
import { disabledProject, isActive, validToken } from './tokens.ts';

/** What the service answers: the token first, as keystonemiddleware does it, then the body, then the route. */
export async function answer(service: SimulatedService, request: RawRequest, cloud: Cloud): Promise<Reply> {
  try {
    const token = await authenticated(service, request, cloud);
    const path = withoutProject(service, request.path, token);
    return answerFrom(service.routes, { ...request, path, token, body: parsed(service, request) }, cloud);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.status, body: errorBody(service.type, error), headers: challenge(error.status, cloud) };
  }
}

async function authenticated(service: SimulatedService, request: RawRequest, cloud: Cloud): Promise<Token | null> {
  const value = request.headers['x-auth-token'];
  const token = typeof value === 'string' ? await knownToken(value, cloud) : null;
  if (token === null && service.type === 'identity') refuseLostToken(value, cloud);
  if (token === null && !isPublic(service, request.method, request.path)) throw new ApiError(401, wordsFor(401));
  return token;
}

async function knownToken(value: string, cloud: Cloud): Promise<Token | null> {
  return cloud.keystone === null ? validToken(cloud, value) : cloud.keystone.validToken(value);
}

/** Keystone itself says what a token has lost, where the other services only know that it is not valid. */
function refuseLostToken(value: string | string[] | undefined, { state }: Cloud): void {
  const token = state.tokens.find((candidate) => candidate.value === value);
  if (token === undefined) return;
  const { userId, projectId, applicationCredentialId: credentialId } = token;
  if (!state.users.some(({ id }) => id === userId)) throw new ApiError(404, `Could not find user: ${userId}.`);
  if (projectId !== null && !isActive(state.projects, projectId)) throw disabledProject(projectId);
  if (credentialId === null || state.applicationCredentials.some(({ id }) => id === credentialId)) return;
  throw missingCredential(credentialId);
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
