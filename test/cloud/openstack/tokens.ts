import { randomBytes } from 'node:crypto';
import { ApiError, type Cloud } from './api.ts';
import type { ApplicationCredential, Project, Token, User } from './state.ts';

/** Issues a token as Keystone's Fernet tokens look. */
export function issue(
  cloud: Cloud,
  token: Pick<Token, 'userId' | 'projectId' | 'roles' | 'methods' | 'applicationCredentialId'>,
): Token {
  const issuedAt = cloud.now();
  const issued: Token = {
    ...token,
    value: `gAAAAAB${randomBytes(96).toString('base64url')}`,
    issuedAt,
    expiresAt: issuedAt + cloud.tokenLifetimeMs,
  };
  cloud.state.tokens.push(issued);
  return issued;
}

/** The token of that value while it is valid: not expired, and what it stands for still there. */
export function validToken(cloud: Cloud, value: string | undefined): Token | null {
  const token = cloud.state.tokens.find((candidate) => candidate.value === value);
  if (token === undefined || token.expiresAt <= cloud.now()) return null;
  return standsFor(cloud, token) ? token : null;
}

function standsFor({ state }: Cloud, { userId, projectId, applicationCredentialId }: Token): boolean {
  if (!isActive(state.users, userId)) return false;
  if (projectId !== null && !isActive(state.projects, projectId)) return false;
  const credentials = state.applicationCredentials;
  return applicationCredentialId === null || credentials.some(({ id }) => id === applicationCredentialId);
}

/** Whether the user or project is there and not disabled. */
export function isActive(things: readonly (User | Project)[], wanted: string): boolean {
  return things.some(({ id, isDisabled }) => id === wanted && isDisabled !== true);
}

/** The application credential that signs in by this secret; null where Keystone refuses that. */
export function signInCredential(
  cloud: Cloud,
  given: { readonly id: string; readonly secret: string },
): ApplicationCredential | null {
  const { users, applicationCredentials } = cloud.state;
  const credential = applicationCredentials.find(({ id }) => id === given.id);
  if (credential === undefined || credential.secret !== given.secret) return null;
  const { userId, projectId, roles, expiresAt } = credential;
  const owner = users.find(({ id }) => id === userId);
  if (owner === undefined || owner.isDisabled === true) return null;
  if (!roles.every((role) => owner.roles[projectId]?.includes(role))) return null;
  return expiresAt !== null && Date.parse(`${expiresAt}Z`) <= cloud.now() ? null : credential;
}

/** Keystone's words where the project of a token, or of an application credential that signs in, is disabled. */
export function disabledProject(id: string): ApiError {
  return new ApiError(404, `Unable to validate token because project ${id} is disabled`);
}

export function revoke({ state }: Cloud, value: string): void {
  state.tokens = state.tokens.filter((token) => token.value !== value);
}

/** The body of POST and GET /v3/auth/tokens. */
export function tokenBody(cloud: Cloud, token: Token): unknown {
  const { state } = cloud;
  const domain = { id: 'default', name: 'Default' };
  const user = state.users.find(({ id }) => id === token.userId);
  const project = state.projects.find(({ id }) => id === token.projectId);
  const credential = state.applicationCredentials.find(({ id }) => id === token.applicationCredentialId);
  return {
    token: {
      methods: token.methods,
      user: { domain, id: token.userId, name: user?.name, password_expires_at: null },
      audit_ids: ['simulated'],
      issued_at: new Date(token.issuedAt).toISOString(),
      expires_at: new Date(token.expiresAt).toISOString(),
      ...(project === undefined
        ? {}
        : { ...scope(cloud, token), project: { domain, id: project.id, name: project.name } }),
      ...(credential === undefined ? {} : { application_credential: credentialOf(credential) }),
    },
  };
}

function scope(cloud: Cloud, token: Token): Record<string, unknown> {
  return {
    is_domain: false,
    roles: token.roles.map((name) => ({ id: roleId(name), name })),
    catalog: catalogFor(cloud, token),
  };
}

function credentialOf(credential: { id: string; name: string; unrestricted: boolean }): Record<string, unknown> {
  return { id: credential.id, name: credential.name, restricted: !credential.unrestricted };
}

function catalogFor(cloud: Cloud, token: Token): unknown {
  const { region, services } = cloud.state;
  return services.map(({ type, name, path }) => {
    const url = `${cloud.url}${path.replace('{project}', token.projectId ?? '')}`;
    const endpoints = ['public', 'internal', 'admin'].map((offered) => {
      return { id: `${name}-${offered}`, interface: offered, region, region_id: region, url };
    });
    return { id: name, type, name, endpoints };
  });
}

/** Roles have names only; their ids follow from them. */
export function roleId(name: string): string {
  return Buffer.from(name.padEnd(16, '-')).toString('hex').slice(0, 32);
}
