import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { ApiError, type ApiRequest, type Cloud, isAdmin, type Reply, tokenOf } from './api.ts';
import type { Route } from './route.ts';
import type { ApplicationCredential, Token, User } from './state.ts';
import { issue, roleId, tokenBody, validToken } from './tokens.ts';

const domain = z.union([z.object({ id: z.literal('default') }), z.object({ name: z.literal('Default') })]);
const idOrName = z.union([z.object({ id: z.string() }), z.object({ name: z.string(), domain })]);

const signInRequest = z.object({
  auth: z.object({
    identity: z.union([
      z.object({
        methods: z.tuple([z.literal('password')]),
        password: z.object({ user: z.intersection(idOrName, z.object({ password: z.string() })) }),
      }),
      z.object({
        methods: z.tuple([z.literal('application_credential')]),
        application_credential: z.object({ id: z.string(), secret: z.string() }),
      }),
      z.object({ methods: z.tuple([z.literal('token')]), token: z.object({ id: z.string() }) }),
    ]),
    scope: z.object({ project: idOrName }).optional(),
  }),
});

type SignIn = z.infer<typeof signInRequest>['auth'];

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

const unauthorized = new ApiError(401, 'The request you have made requires authentication.');

export const identityRoutes: readonly Route[] = [
  { method: 'GET', path: '/', handle: showVersion },
  { method: 'POST', path: '/auth/tokens', handle: signIn },
  { method: 'GET', path: '/auth/tokens', handle: validate },
  { method: 'GET', path: '/users/{user}/application_credentials', handle: list },
  { method: 'POST', path: '/users/{user}/application_credentials', handle: create },
  { method: 'GET', path: '/users/{user}/application_credentials/{id}', handle: show },
  { method: 'DELETE', path: '/users/{user}/application_credentials/{id}', handle: remove },
];

function showVersion(_request: ApiRequest, cloud: Cloud): Reply {
  const links = [{ rel: 'self', href: `${cloud.url}/identity/v3/` }];
  return { status: 200, body: { version: { id: 'v3.14', status: 'stable', links } } };
}

function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issueOf] = parsed.error.issues;
  throw new ApiError(400, `Invalid input for field '${issueOf?.path.join('/')}': ${issueOf?.message}`);
}

function signIn(request: ApiRequest, cloud: Cloud): Reply {
  const token = authenticate(parse(signInRequest, request.body).auth, cloud);
  return { status: 201, headers: { 'x-subject-token': token.value }, body: tokenBody(cloud, token) };
}

function authenticate(auth: SignIn, cloud: Cloud): Token {
  const { identity } = auth;
  if ('application_credential' in identity) return withCredential(identity.application_credential, cloud);
  const applicationCredentialId = null;
  if ('token' in identity) {
    const old = validToken(cloud, identity.token.id);
    const owner = cloud.state.users.find(({ id }) => id === old?.userId);
    if (old === null || owner === undefined) throw unauthorized;
    return issue(cloud, { ...scoped(auth, owner, cloud), methods: [...old.methods, 'token'], applicationCredentialId });
  }
  const { password, ...who } = identity.password.user;
  const user = cloud.state.users.find((candidate) => isCalled(candidate, who));
  if (user === undefined || user.password !== password) throw unauthorized;
  return issue(cloud, { ...scoped(auth, user, cloud), methods: ['password'], applicationCredentialId });
}

function isCalled(thing: { id: string; name: string }, who: { id: string } | { name: string }): boolean {
  return 'id' in who ? thing.id === who.id : thing.name === who.name;
}

function scoped(auth: SignIn, user: User, cloud: Cloud): Pick<Token, 'userId' | 'projectId' | 'roles'> {
  const wanted = auth.scope?.project;
  if (wanted === undefined) return { userId: user.id, projectId: null, roles: [] };
  const project = cloud.state.projects.find((candidate) => isCalled(candidate, wanted));
  const roles = user.roles[project?.id ?? ''];
  if (project === undefined || roles === undefined) throw unauthorized;
  return { userId: user.id, projectId: project.id, roles };
}

function withCredential(given: { id: string; secret: string }, cloud: Cloud): Token {
  const credential = cloud.state.applicationCredentials.find(({ id }) => id === given.id);
  if (credential === undefined || credential.secret !== given.secret) throw unauthorized;
  const { userId, projectId, roles, expiresAt } = credential;
  if (expiresAt !== null && Date.parse(`${expiresAt}Z`) <= cloud.now()) throw unauthorized;
  const methods = ['application_credential'];
  return issue(cloud, { userId, projectId, roles, methods, applicationCredentialId: credential.id });
}

function validate(request: ApiRequest, cloud: Cloud): Reply {
  const token = tokenOf(request);
  const subject = request.headers['x-subject-token'];
  const found = typeof subject === 'string' ? validToken(cloud, subject) : null;
  if (found === null) throw new ApiError(404, 'Could not find token.');
  if (found !== token && !isAdmin(token)) throw forbidden('identity:validate_token');
  return { status: 200, headers: { 'x-subject-token': found.value }, body: tokenBody(cloud, found) };
}

function forbidden(action: string): ApiError {
  return new ApiError(403, `You are not authorized to perform the requested action: ${action}.`);
}

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
    expiresAt: wanted.expires_at ?? null,
  };
  refuseTooManyOrSame(credential, cloud);
  cloud.state.applicationCredentials.push(credential);
  return { status: 201, body: { application_credential: { ...shown(credential), secret: credential.secret } } };
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
  throw new ApiError(404, `Could not find Application Credential: ${id}.`);
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
