import { randomBytes } from 'node:crypto';
import type { Cloud } from './api.ts';
import { hexId, makeUser } from './default-state.ts';
import {
  type CredentialRequest,
  type Identity,
  serviceCredential,
  serviceNames,
  type TokenRequest,
} from './identity.ts';
import type { ApplicationCredential, Token, User } from './state.ts';
import { isActive, issue, revoke, signInCredential } from './tokens.ts';

/** Issues a token to a user, as if he had signed in. @throws RangeError where he has no role on the project */
export function issueToken(request: TokenRequest, cloud: Cloud): string {
  if (cloud.keystone !== null) throw new RangeError('A real Keystone issues tokens by identity.signIn alone.');
  if (request.restricted === undefined) {
    return issue(cloud, { ...scopeOf(request, cloud), methods: ['password'], applicationCredentialId: null }).value;
  }
  const { id, userId, projectId, roles } = addCredential({ ...request, restricted: request.restricted }, cloud);
  const methods = ['application_credential'];
  return issue(cloud, { userId, projectId, roles, methods, applicationCredentialId: id }).value;
}

/** The simulated Keystone, as its administrator changes it. */
export function simulatedIdentity(cloud: Cloud): Identity {
  const { state } = cloud;
  const userOf = (id: string) => found(state.users, id);
  const { password } = userNamed(cloud, serviceNames.user);
  return {
    serviceCredential: serviceCredential(`${cloud.url}/identity`, state.region, password),
    signIn: async (request) => issueToken(request, cloud),
    createCredential: async (request) => addCredential(request, cloud),
    async credentialProject(given) {
      const credential = signInCredential(cloud, given);
      return credential !== null && isActive(state.projects, credential.projectId) ? credential.projectId : null;
    },
    credentialsOf: async (owner) => state.applicationCredentials.filter(({ userId }) => userId === owner),
    async addProject(name) {
      const project = { id: hexId(), name };
      state.projects.push(project);
      return project;
    },
    async addUser({ name, project, roles }) {
      const { id } = projectNamed(cloud, project);
      const user = makeUser(name, { [id]: withImplied(roles) });
      state.users.push(user);
      return user;
    },
    async removeUser(id) {
      state.users.splice(state.users.indexOf(userOf(id)), 1);
      state.applicationCredentials = state.applicationCredentials.filter(({ userId }) => userId !== id);
    },
    async disableUser(id) {
      userOf(id).isDisabled = true;
      removeTokens(cloud, ({ userId }) => userId === id);
    },
    async disableProject(id) {
      found(state.projects, id).isDisabled = true;
    },
    async removeRole(id, project, role) {
      const { roles } = userOf(id);
      const lost = withImplied([role]);
      roles[project] = (roles[project] ?? []).filter((own) => !lost.includes(own));
      if (roles[project].length === 0) delete roles[project];
      removeTokens(cloud, ({ userId, projectId }) => userId === id && projectId === project);
    },
    revokeToken: async (value) => revoke(cloud, value),
  };
}

/** Each role implies those after it. */
const roleChain = ['admin', 'manager', 'member', 'reader'];

function withImplied(roles: readonly string[]): string[] {
  const implied = roles.flatMap((role) =>
    roleChain.includes(role) ? roleChain.slice(roleChain.indexOf(role)) : [role],
  );
  return [...new Set(implied)];
}

type Scope = Pick<Token, 'userId' | 'roles'> & { readonly projectId: string };

function scopeOf({ user, project }: TokenRequest, cloud: Cloud): Scope {
  const { id: projectId } = projectNamed(cloud, project);
  const { id: userId, roles } = userNamed(cloud, user);
  const own = roles[projectId];
  if (own === undefined) throw new RangeError(`The user ${user} has no role on the project ${project}.`);
  return { userId, projectId, roles: own };
}

function addCredential(request: CredentialRequest, cloud: Cloud): ApplicationCredential {
  const id = randomBytes(16).toString('hex');
  const secret = randomBytes(64).toString('base64url');
  const kind = { name: `signed-in-${id}`, description: null, unrestricted: !request.restricted, expiresAt: null };
  const credential = { ...scopeOf(request, cloud), ...kind, id, secret };
  cloud.state.applicationCredentials.push(credential);
  return credential;
}

function removeTokens({ state }: Cloud, isMeant: (token: Token) => boolean): void {
  state.tokens = state.tokens.filter((token) => !isMeant(token));
}

function userNamed({ state }: Cloud, name: string): User {
  const user = state.users.find((candidate) => candidate.name === name);
  if (user === undefined) throw new RangeError(`The cloud has no user ${name}.`);
  return user;
}

function projectNamed({ state }: Cloud, name: string): { readonly id: string } {
  const project = state.projects.find((candidate) => candidate.name === name);
  if (project === undefined) throw new RangeError(`The cloud has no project ${name}.`);
  return project;
}

function found<T extends { readonly id: string }>(things: readonly T[], id: string): T {
  const thing = things.find((candidate) => candidate.id === id);
  if (thing === undefined) throw new RangeError(`The cloud has nothing of the id ${id}.`);
  return thing;
}
