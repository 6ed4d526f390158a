import * as z from 'zod';
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

const userOrProject = z
  .object({
    id: z.string(),
    name: z.string().nullish(),
    domain: z.object({ id: z.string().nullish(), name: z.string().nullish() }).nullish(),
  })
  .transform(({ id, name, domain }) => ({
    id,
    name: name ?? '',
    domainId: domain?.id ?? null,
    domainName: domain?.name ?? null,
  }));

const endpoint = z
  .object({
    interface: z.string(),
    region: z.string().nullish(),
    region_id: z.string().nullish(),
    url: z.string().nullish(),
  })
  .transform(({ interface: offered, region, region_id, url }) => ({
    interface: offered,
    region: region ?? region_id ?? null,
    url: url ?? '',
  }));

const service = z
  .object({ type: z.string().nullish(), endpoints: z.array(endpoint).nullish() })
  .transform(({ type, endpoints }) => ({
    type: type ?? '',
    endpoints: (endpoints ?? []).filter((candidate) => candidate.url !== ''),
  }));

/** The answer of POST and GET /v3/auth/tokens. */
export const tokenAnswer = z
  .object({
    token: z.object({
      user: userOrProject,
      project: userOrProject.nullish(),
      roles: z.array(z.object({ name: z.string() })).nullish(),
      methods: z.array(z.string()).nullish(),
      expires_at: z.string().nullish(),
      application_credential: z.object({ id: z.string(), restricted: z.boolean().nullish() }).nullish(),
      catalog: z.array(service).nullish(),
    }),
  })
  .transform(({ token }): Authentication => {
    const credential = token.application_credential;
    return {
      user: token.user,
      project: token.project ?? null,
      roles: (token.roles ?? []).map((role) => role.name),
      methods: token.methods ?? [],
      expiresAt: token.expires_at ?? null,
      // A credential of unknown kind counts as restricted: that is what Keystone makes by default.
      applicationCredential: credential ? { id: credential.id, restricted: credential.restricted ?? true } : null,
      catalog: token.catalog ?? [],
    };
  });
