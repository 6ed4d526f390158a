/** An existing Keystone token, used as it is: not rescoped, not renewed. */
export interface TokenAuth {
  readonly kind: 'token';
  /** Keystone's URL, with or without `/v3` and a final slash. */
  readonly authUrl: string;
  readonly token: string;
}

/** An application credential by id; it carries its own project. */
export interface ApplicationCredentialAuth {
  readonly kind: 'application_credential';
  readonly authUrl: string;
  readonly id: string;
  readonly secret: string;
}

/** A user or project by id, or by name within a domain. */
export type NameOrId =
  | { readonly id: string }
  | { readonly name: string; readonly domain: { readonly id: string } | { readonly name: string } };

/** A user's password, scoped to a project. */
export interface PasswordAuth {
  readonly kind: 'password';
  readonly authUrl: string;
  readonly user: NameOrId;
  readonly password: string;
  readonly project: NameOrId;
}

export type Auth = TokenAuth | ApplicationCredentialAuth | PasswordAuth;

/** Keystone's v3 root for a URL given with or without version and final slash. */
export function identityUrl(authUrl: string): string {
  const parts = authUrl.trim().split('/');
  while (parts.at(-1) === '') parts.pop();
  if (parts.at(-1) === 'v3' || parts.at(-1) === 'v2.0') parts.pop();
  return `${parts.join('/')}/v3`;
}

/** What must never be seen in a message. */
export function secretOf(auth: Auth): string {
  if (auth.kind === 'token') return auth.token;
  return auth.kind === 'password' ? auth.password : auth.secret;
}

/** Body of POST /v3/auth/tokens (Keystone API reference, "Authentication and token management"). */
export function signInBody(auth: ApplicationCredentialAuth | PasswordAuth): unknown {
  if (auth.kind === 'application_credential') {
    const { id, secret } = auth;
    return { auth: { identity: { methods: [auth.kind], application_credential: { id, secret } } } };
  }
  const user = { ...auth.user, password: auth.password };
  return { auth: { identity: { methods: ['password'], password: { user } }, scope: { project: auth.project } } };
}
