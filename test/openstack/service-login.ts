/** How the services themselves sign in. */
export interface ServiceLogin {
  /** Keystone's URL, with version. */
  readonly authUrl: string;
  readonly username: string;
  readonly password: string;
  readonly project: string;
}

/** Options of a section by which a service signs in. */
export function signIn({ authUrl, username, password, project }: ServiceLogin): Readonly<Record<string, string>> {
  const domains = { user_domain_id: 'default', project_domain_id: 'default' };
  return { auth_type: 'password', auth_url: authUrl, username, password, project_name: project, ...domains };
}

/** The section `keystone_authtoken`, by which a service checks the tokens of its users. */
export function authToken(login: ServiceLogin): Readonly<Record<string, string>> {
  return { www_authenticate_uri: login.authUrl, service_token_roles_required: 'true', ...signIn(login) };
}
