import type { Project, User } from './state.ts';

export interface TokenRequest {
  /** Name of the user. */
  readonly user: string;
  /** Name of the project. */
  readonly project: string;
  /** Makes the token come from an application credential of that kind. @default a token of a password */
  readonly restricted?: boolean;
}

export interface CredentialRequest {
  /** Name of the user. */
  readonly user: string;
  /** Name of the project. */
  readonly project: string;
  readonly restricted: boolean;
}

/** What signs in with an application credential. */
export interface SignInCredential {
  readonly id: string;
  readonly secret: string;
}

export interface NewUser {
  readonly name: string;
  /** Name of a project that there is. */
  readonly project: string;
  /** Names of the roles on the project. */
  readonly roles: readonly string[];
}

/** One cloud of a clouds.yaml. */
export interface ServiceCredential {
  readonly auth: {
    readonly auth_url: string;
    readonly username: string;
    readonly password: string;
    readonly project_name: string;
    readonly user_domain_name: string;
    readonly project_domain_name: string;
  };
  readonly region_name: string;
}

/**
 * What an administrator of the cloud does to users, whether Keystone is the simulated or a real one. All of it holds from the
 * next request to Keystone on; the other services may go on with a token for a second.
 */
export interface Identity {
  /** Signs in and gives the token. */
  signIn(request: TokenRequest): Promise<string>;
  /** Creates an application credential as its user. */
  createCredential(request: CredentialRequest): Promise<SignInCredential>;
  /** Id of the project that an application credential opens, as CAPO signs in with it; null where Keystone refuses it. */
  credentialProject(credential: SignInCredential): Promise<string | null>;
  /** The application credentials of a user. */
  credentialsOf(userId: string): Promise<readonly { readonly id: string; readonly name: string }[]>;
  addProject(name: string): Promise<Project>;
  addUser(user: NewUser): Promise<User>;
  removeUser(userId: string): Promise<void>;
  disableUser(userId: string): Promise<void>;
  disableProject(projectId: string): Promise<void>;
  /** Takes a role on the project from the user; application credentials with that role open nothing any more. */
  removeRole(userId: string, projectId: string, role: string): Promise<void>;
  revokeToken(token: string): Promise<void>;
  /** Signs in as Magnum's service user, who is an administrator. */
  readonly serviceCredential: ServiceCredential;
}

/** Magnum's service user and its project. */
export const serviceNames = { user: 'magnum', project: 'service' } as const;

export function serviceCredential(authUrl: string, region: string, password: string): ServiceCredential {
  const domain = { user_domain_name: 'Default', project_domain_name: 'Default' };
  const { user: username, project: project_name } = serviceNames;
  return { auth: { auth_url: authUrl, username, password, project_name, ...domain }, region_name: region };
}
