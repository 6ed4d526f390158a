import * as z from 'zod';
import { ApiError } from '../openstack/api.ts';
import type { Token } from '../openstack/state.ts';
import { BriefCache } from './brief-cache.ts';
import { type KeystoneAnswer, KeystoneUser, type PasswordLogin } from './keystone-api.ts';

/** Milliseconds for which a token counts as valid after Keystone said so; services cache for up to five minutes. */
export const cacheMs = 1_000;

const validated = z.object({
  token: z.object({
    user: z.object({ id: z.string() }),
    project: z.object({ id: z.string() }).optional(),
    roles: z.array(z.object({ name: z.string() })).default([]),
    methods: z.array(z.string()),
    issued_at: z.string(),
    expires_at: z.string(),
    application_credential: z.object({ id: z.string() }).optional(),
  }),
});

/** Asks Keystone whose a token is, as keystonemiddleware does it in front of every service. */
export class TokenValidation {
  readonly #service: KeystoneUser;
  readonly #known = new BriefCache<Token | null>(cacheMs);

  /** @param login of a user with the role `service` */
  constructor(authUrl: string, login: PasswordLogin) {
    this.#service = new KeystoneUser(authUrl, login);
  }

  /** The token while it is valid. @throws ApiError 503 where Keystone gives no answer, in the words of keystonemiddleware */
  async validToken(value: string): Promise<Token | null> {
    try {
      return await this.#known.get(value, () => this.#ask(value));
    } catch {
      throw new ApiError(503, 'The Keystone service is temporarily unavailable.');
    }
  }

  async #ask(value: string): Promise<Token | null> {
    const answer = await this.#service.ask({ method: 'GET', path: '/auth/tokens?nocatalog', subjectToken: value });
    if (answer.status === 404) return null;
    return tokenOf(value, answer);
  }
}

function tokenOf(value: string, { body }: KeystoneAnswer): Token {
  const { token } = validated.parse(body);
  return {
    value,
    userId: token.user.id,
    projectId: token.project?.id ?? null,
    roles: token.roles.map(({ name }) => name),
    methods: token.methods,
    issuedAt: Date.parse(token.issued_at),
    expiresAt: Date.parse(token.expires_at),
    applicationCredentialId: token.application_credential?.id ?? null,
  };
}
