import type { CatalogService } from './catalog.ts';

export interface UserOrProject {
  readonly id: string;
  readonly name: string;
  readonly domainId: string | null;
  readonly domainName: string | null;
}

/** What Keystone says of the session's token; the token itself stays inside the session. */
export interface Authentication {
  readonly user: UserOrProject;
  /** null for a token without a project. */
  readonly project: UserOrProject | null;
  /** Names of the roles on the project. */
  readonly roles: readonly string[];
  /** As `password`, `token`, `application_credential`. */
  readonly methods: readonly string[];
  /** ISO 8601; null where Keystone gives none. */
  readonly expiresAt: string | null;
  /**
   * The application credential that the token comes from. A token of a restricted one can neither create nor delete
   * application credentials.
   */
  readonly applicationCredential: { readonly id: string; readonly restricted: boolean } | null;
  readonly catalog: readonly CatalogService[];
}
