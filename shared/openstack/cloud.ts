import * as z from 'zod';
import type { Auth, NameOrId } from './auth.ts';
import type { SessionOptions } from './session.ts';

const text = z.string().min(1);

const authFields = z.object({
  auth_url: text,
  token: text.optional(),
  application_credential_id: text.optional(),
  application_credential_secret: text.optional(),
  username: text.optional(),
  user_id: text.optional(),
  password: text.optional(),
  user_domain_id: text.optional(),
  user_domain_name: text.optional(),
  project_name: text.optional(),
  project_id: text.optional(),
  project_domain_id: text.optional(),
  project_domain_name: text.optional(),
  domain_id: text.optional(),
  domain_name: text.optional(),
});

const cloudFields = z.object({
  auth: authFields,
  region_name: text.optional(),
  interface: text.optional(),
  endpoint_type: text.optional(),
  verify: z.boolean().optional(),
  insecure: z.boolean().optional(),
  cacert: text.optional(),
});

type AuthFields = z.infer<typeof authFields>;

/**
 * Session options from one cloud of a clouds.yaml, already parsed: `auth` with an application credential, a token or a
 * password, `region_name`, `interface` or `endpoint_type`, `verify` or `insecure`. The file that `cacert` names is not
 * read: its name is returned for the caller.
 * @throws TypeError naming the field that is missing or wrong.
 */
export function parseCloud(cloud: unknown): {
  readonly options: SessionOptions;
  readonly caCertificateFile: string | undefined;
} {
  const parsed = cloudFields.safeParse(cloud);
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.map(String).join('.') ?? '';
    throw new TypeError(`The cloud's configuration has no usable ${field === '' ? 'content' : `"${field}"`}.`);
  }
  const { auth, cacert, verify, insecure, ...fields } = parsed.data;
  const options: SessionOptions = {
    auth: authOf(auth),
    region: fields.region_name,
    interface: fields.interface ?? fields.endpoint_type,
    insecure: insecure ?? verify === false,
  };
  return { options, caCertificateFile: cacert };
}

function authOf(fields: AuthFields): Auth {
  const authUrl = fields.auth_url;
  const { application_credential_id: id, application_credential_secret: secret, token, password } = fields;
  if (id !== undefined) {
    return { kind: 'application_credential', authUrl, id, secret: required(secret, 'application_credential_secret') };
  }
  if (token !== undefined) return { kind: 'token', authUrl, token };
  return {
    kind: 'password',
    authUrl,
    user: nameOrId(fields, 'user'),
    password: required(password, 'password'),
    project: nameOrId(fields, 'project'),
  };
}

function nameOrId(fields: AuthFields, what: 'user' | 'project'): NameOrId {
  const id = fields[`${what}_id`];
  if (id !== undefined) return { id };
  const name = required(what === 'user' ? fields.username : fields.project_name, `${what}_id`);
  const domainId = fields[`${what}_domain_id`] ?? fields.domain_id;
  if (domainId !== undefined) return { name, domain: { id: domainId } };
  const domainName = fields[`${what}_domain_name`] ?? fields.domain_name;
  return { name, domain: domainName === undefined ? { id: 'default' } : { name: domainName } };
}

function required(value: string | undefined, field: string): string {
  if (value !== undefined) return value;
  throw new TypeError(`The cloud's configuration has no usable "auth.${field}".`);
}
