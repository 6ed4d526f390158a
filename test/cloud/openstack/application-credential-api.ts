import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { ApiError, type ApiRequest, type Cloud, isAdmin, type Reply, tokenOf } from './api.ts';
import { forbidden, parse } from './keystone-words.ts';
import type { Route } from './route.ts';
import type { ApplicationCredential, Token } from './state.ts';
import { roleId } from './tokens.ts';

const credentialRequest = z.object({
  application_credential: z.object({
    name: z.string().min(1).max(255).regex(/\S/),
    description: z.string().nullish(),
    secret: z.string().nullish(),
    roles: z.array(z.union([z.object({ id: z.string() }), z.object({ name: z.string() })])).optional(),
    unrestricted: z.boolean().nullish(),
    expires_at: z.string().nullish(),
  }),
});

export const applicationCredentialRoutes: readonly Route[] = [
  { method: 'GET', path: '/users/{user}/application_credentials', handle: list },
  { method: 'POST', path: '/users/{user}/application_credentials', handle: create },
  { method: 'GET', path: '/users/{user}/application_credentials/{id}', handle: show },
  { method: 'DELETE', path: '/users/{user}/application_credentials/{id}', handle: remove },
];

/** Keystone lets a token of a restricted application credential neither create nor delete others. */
function refuseRestricted(token: Token, cloud: Cloud): void {
  const credential = cloud.state.applicationCredentials.find(({ id }) => id === token.applicationCredentialId);
  if (credential === undefined || credential.unrestricted) return;
  const method =
    "Using method 'application_credential' is not allowed for managing additional application credentials.";
  throw forbidden(method);
}

function list(request: ApiRequest, cloud: Cloud, { user }: Readonly<Record<string, string>>): Reply {
  const token = tokenOf(request);
  if (token.userId !== user && !isAdmin(token)) throw forbidden('identity:list_application_credentials');
  const name = request.query.get('name');
  const own = cloud.state.applicationCredentials.filter((credential) => {
    return credential.userId === user && (name === null || credential.name === name);
  });
  const links = { next: null, previous: null, self: `${cloud.url}/identity/v3${request.path}` };
  return { status: 200, body: { application_credentials: own.map(shown), links } };
}

/** A credential without its secret. */
function shown(credential: ApplicationCredential): Record<string, unknown> {
  const { id, name, description, userId, projectId, roles, unrestricted, expiresAt } = credential;
  const named = roles.map((role) => ({ id: roleId(role), name: role, domain_id: null }));
  const owner = { user_id: userId, project_id: projectId };
  return { id, name, description, ...owner, roles: named, unrestricted, expires_at: expiresAt, system: null };
}

function create(request: ApiRequest, cloud: Cloud, { user }: Readonly<Record<string, string>>): Reply {
  const token = tokenOf(request);
  const wanted = parse(credentialRequest, request.body).application_credential;
  if (token.userId !== user || token.projectId === null) throw forbidden('identity:create_application_credential');
  refuseRestricted(token, cloud);
  const credential: ApplicationCredential = {
    id: randomBytes(16).toString('hex'),
    name: wanted.name,
    description: wanted.description ?? null,
    secret: wanted.secret ?? randomBytes(64).toString('base64url'),
    userId: token.userId,
    projectId: token.projectId,
    roles: wanted.roles === undefined ? token.roles : chosenRoles(wanted.roles, token),
    unrestricted: wanted.unrestricted ?? false,
    expiresAt: expiryOf(wanted.expires_at ?? null, cloud),
  };
  refuseTooManyOrSame(credential, cloud);
  cloud.state.applicationCredentials.push(credential);
  return { status: 201, body: { application_credential: { ...shown(credential), secret: credential.secret } } };
}

/** The time as Keystone shows it. @throws ApiError 400 for one that is past, or no time */
function expiryOf(wanted: string | null, cloud: Cloud): string | null {
  if (wanted === null) return null;
  const time = Date.parse(wanted.endsWith('Z') ? wanted : `${wanted}Z`);
  if (Number.isNaN(time)) throw badExpiry('Timestamp not in expected format.');
  if (time < cloud.now()) throw badExpiry("The 'expires_at' must not be before now.");
  return new Date(time).toISOString().replace('Z', '000');
}

function badExpiry(words: string): ApiError {
  const rest = 'The server could not comply with the request since it is either malformed or otherwise incorrect.';
  return new ApiError(400, `${words} ${rest} The client is assumed to be in error.`);
}

function chosenRoles(wanted: readonly ({ id: string } | { name: string })[], token: Token): string[] {
  return wanted.map((role) => {
    const name = token.roles.find((own) => ('id' in role ? roleId(own) === role.id : own === role.name));
    if (name !== undefined) return name;
    const detail = 'Cannot create an application credential with unassigned role';
    throw new ApiError(400, `Invalid application credential: ${detail}`);
  });
}

function refuseTooManyOrSame(credential: ApplicationCredential, cloud: Cloud): void {
  const own = cloud.state.applicationCredentials.filter(({ userId }) => userId === credential.userId);
  const limit = cloud.state.quotas.applicationCredentials;
  if (limit >= 0 && own.length >= limit) {
    const words = `Unable to create additional application credentials, maximum of ${limit} already exceeded for user.`;
    throw new ApiError(403, words);
  }
  if (!own.some(({ name }) => name === credential.name)) return;
  const detail = `Duplicate entry found with name ${credential.name}`;
  throw new ApiError(409, `Conflict occurred attempting to store application_credential - ${detail}.`);
}

function owned(cloud: Cloud, id: string | undefined): ApplicationCredential {
  const credential = cloud.state.applicationCredentials.find((candidate) => candidate.id === id);
  if (credential !== undefined) return credential;
  throw missingCredential(id);
}

/** Keystone says so to whoever signs in by it, too. */
export function missingCredential(id: string | undefined): ApiError {
  return new ApiError(404, `Could not find Application Credential: ${id}.`);
}

function show(request: ApiRequest, cloud: Cloud, { id }: Readonly<Record<string, string>>): Reply {
  const token = tokenOf(request);
  const credential = owned(cloud, id);
  if (credential.userId !== token.userId && !isAdmin(token)) throw forbidden('identity:get_application_credential');
  return { status: 200, body: { application_credential: shown(credential) } };
}

function remove(request: ApiRequest, cloud: Cloud, { user, id }: Readonly<Record<string, string>>): Reply {
  const token = tokenOf(request);
  const owner = cloud.state.applicationCredentials.find((candidate) => candidate.id === id)?.userId ?? user;
  if (owner !== token.userId && !isAdmin(token)) throw forbidden('identity:delete_application_credential');
  refuseRestricted(token, cloud);
  const credential = owned(cloud, id);
  cloud.state.applicationCredentials.splice(cloud.state.applicationCredentials.indexOf(credential), 1);
  return { status: 204 };
}
