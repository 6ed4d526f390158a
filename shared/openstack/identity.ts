import type { Session } from './session.ts';

export interface ApplicationCredential {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly projectId: string;
  readonly unrestricted: boolean;
  /** ISO 8601; null = never. */
  readonly expiresAt: string | null;
}

export interface NewApplicationCredential {
  readonly name: string;
  readonly description?: string;
  /** Names of the roles. @default all roles of the token */
  readonly roles?: readonly string[];
  /** ISO 8601. @default never */
  readonly expiresAt?: string;
}

/**
 * Creates a restricted application credential of the session's own user and project; Keystone shows the secret only here.
 * @throws ConflictError where the user has one of this name; PermissionError for a token of a restricted credential.
 */
export declare function createApplicationCredential(
  session: Session,
  credential: NewApplicationCredential,
): Promise<ApplicationCredential & { readonly secret: string }>;

/** The application credentials of a user, of the session's own by default. */
export declare function listApplicationCredentials(
  session: Session,
  options?: { readonly userId?: string; readonly name?: string },
): Promise<readonly ApplicationCredential[]>;

/** Returns false where there was no such credential. The user is the session's own by default. */
export declare function deleteApplicationCredential(
  session: Session,
  id: string,
  options?: { readonly userId?: string },
): Promise<boolean>;
