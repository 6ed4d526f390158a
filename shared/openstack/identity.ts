import * as z from 'zod';
import { shaped } from './answer-shape.ts';
import { deleteIfThere } from './delete.ts';
import { listAll } from './pages.ts';
import type { Session } from './session.ts';

const service = 'identity';

export interface ApplicationCredential {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly projectId: string;
  readonly unrestricted: boolean;
  /** ISO 8601; null = never. */
  readonly expiresAt: string | null;
}

const fields = {
  id: z.string(),
  name: z.string(),
  description: z.string().nullish(),
  project_id: z.string().nullish(),
  unrestricted: z.boolean().nullish(),
  expires_at: z.string().nullish(),
};

const applicationCredential = z.object(fields).transform(fromKeystone);

const createdCredential = z
  .object({ application_credential: z.object({ ...fields, secret: z.string() }) })
  .transform(({ application_credential: created }) => ({ ...fromKeystone(created), secret: created.secret }));

function fromKeystone(credential: z.infer<z.ZodObject<typeof fields>>): ApplicationCredential {
  return {
    id: credential.id,
    name: credential.name,
    description: credential.description ?? null,
    projectId: credential.project_id ?? '',
    unrestricted: credential.unrestricted ?? false,
    expiresAt: credential.expires_at ?? null,
  };
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
export async function createApplicationCredential(
  session: Session,
  credential: NewApplicationCredential,
): Promise<ApplicationCredential & { readonly secret: string }> {
  const { name, description, roles, expiresAt } = credential;
  const application_credential = {
    name,
    description,
    roles: roles?.map((role) => ({ name: role })),
    expires_at: expiresAt,
  };
  const { body } = await session.send({
    service,
    method: 'POST',
    path: await credentialsPath(session),
    body: { application_credential },
  });
  return shaped(createdCredential, body, service);
}

/** The application credentials of a user, of the session's own by default. */
export async function listApplicationCredentials(
  session: Session,
  options: { readonly userId?: string; readonly name?: string } = {},
): Promise<readonly ApplicationCredential[]> {
  const query = options.name === undefined ? undefined : { name: options.name };
  const call = { service, path: await credentialsPath(session, options.userId), query };
  return listAll(session, { call, key: 'application_credentials', nextKey: 'links', item: applicationCredential });
}

/** Returns false where there was no such credential. The user is the session's own by default. */
export async function deleteApplicationCredential(
  session: Session,
  id: string,
  options: { readonly userId?: string } = {},
): Promise<boolean> {
  const credentials = await credentialsPath(session, options.userId);
  return deleteIfThere(session, { service, path: `${credentials}/${encodeURIComponent(id.toWellFormed())}` });
}

async function credentialsPath(session: Session, userId?: string): Promise<string> {
  const owner = userId ?? (await session.authentication()).user.id;
  return `/users/${encodeURIComponent(owner.toWellFormed())}/application_credentials`;
}
