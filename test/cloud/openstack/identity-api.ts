import * as z from 'zod';
import { ApiError, type ApiRequest, type Cloud, isAdmin, type Reply, tokenOf } from './api.ts';
import { applicationCredentialRoutes, missingCredential } from './application-credential-api.ts';
import { forbidden, parse } from './keystone-words.ts';
import type { Route } from './route.ts';
import { serviceRegistryRoutes } from './service-registry-api.ts';
import type { Token, User } from './state.ts';
import { disabledProject, isActive, issue, revoke, signInCredential, tokenBody, validToken } from './tokens.ts';

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

const unauthorized = new ApiError(401, 'The request you have made requires authentication.');

export const identityRoutes: readonly Route[] = [
  { method: 'GET', path: '/', handle: showVersion },
  { method: 'POST', path: '/auth/tokens', handle: signIn },
  { method: 'GET', path: '/auth/tokens', handle: validate },
  { method: 'DELETE', path: '/auth/tokens', handle: revokeSubject },
  ...applicationCredentialRoutes,
  ...serviceRegistryRoutes,
];

function showVersion(_request: ApiRequest, cloud: Cloud): Reply {
  const links = [{ rel: 'self', href: `${cloud.url}/identity/v3/` }];
  return { status: 200, body: { version: { id: 'v3.14', status: 'stable', links } } };
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
  if (user === undefined || user.password !== password || user.isDisabled === true) throw unauthorized;
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
  if (project === undefined || project.isDisabled === true || roles === undefined) throw unauthorized;
  return { userId: user.id, projectId: project.id, roles };
}

function withCredential(given: { id: string; secret: string }, cloud: Cloud): Token {
  if (!cloud.state.applicationCredentials.some(({ id }) => id === given.id)) throw missingCredential(given.id);
  const credential = signInCredential(cloud, given);
  if (credential === null) throw unauthorized;
  const { userId, projectId, roles } = credential;
  if (!isActive(cloud.state.projects, projectId)) throw disabledProject(projectId);
  const methods = ['application_credential'];
  return issue(cloud, { userId, projectId, roles, methods, applicationCredentialId: credential.id });
}

/** The token that the request is about. */
function subjectOf(request: ApiRequest, cloud: Cloud, action: string): Token {
  const token = tokenOf(request);
  const subject = request.headers['x-subject-token'];
  const found = typeof subject === 'string' ? validToken(cloud, subject) : null;
  if (found === null) throw new ApiError(404, 'Could not find token.');
  if (found !== token && !isAdmin(token)) throw forbidden(action);
  return found;
}

function revokeSubject(request: ApiRequest, cloud: Cloud): Reply {
  revoke(cloud, subjectOf(request, cloud, 'identity:revoke_token').value);
  return { status: 204 };
}

function validate(request: ApiRequest, cloud: Cloud): Reply {
  const found = subjectOf(request, cloud, 'identity:validate_token');
  return { status: 200, headers: { 'x-subject-token': found.value }, body: tokenBody(cloud, found) };
}
