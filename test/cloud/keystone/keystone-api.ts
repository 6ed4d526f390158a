import * as z from 'zod';

export interface KeystoneCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below `/v3`, with every segment already encoded. */
  readonly path: string;
  readonly body?: unknown;
  /** Token of who calls. */
  readonly token?: string;
  /** Token that the call is about. */
  readonly subjectToken?: string;
}

export interface KeystoneAnswer {
  readonly status: number;
  /** The token that a sign-in gives. */
  readonly token: string | null;
  /** null where there was none. */
  readonly body: unknown;
}

/** A user and a project of the domain `default`, by name. */
export interface PasswordLogin {
  readonly name: string;
  readonly password: string;
  readonly project: string;
}

/** Keystone refused what a test needs; the message has its words. */
export class KeystoneError extends Error {
  override readonly name = 'KeystoneError';
}

const refusal = z.object({ error: z.object({ message: z.string() }) });

/** Sends one call and gives whatever Keystone answers. */
export async function askKeystone(authUrl: string, call: KeystoneCall): Promise<KeystoneAnswer> {
  const { method, path, body, token, subjectToken } = call;
  const headers = {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token === undefined ? {} : { 'x-auth-token': token }),
    ...(subjectToken === undefined ? {} : { 'x-subject-token': subjectToken }),
  };
  const answer = await fetch(`${authUrl}/v3${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    token: answer.headers.get('x-subject-token'),
    body: text === '' ? null : JSON.parse(text),
  };
}

/** Signs in and gives the token. @throws {KeystoneError} */
export async function passwordToken(authUrl: string, { name, password, project }: PasswordLogin): Promise<string> {
  const domain = { id: 'default' };
  const identity = { methods: ['password'], password: { user: { name, domain, password } } };
  const scope = { project: { name: project, domain } };
  return tokenFor(authUrl, { identity, scope });
}

/** Signs in by the `auth` of Keystone's API and gives the token. @throws {KeystoneError} */
export async function tokenFor(authUrl: string, auth: object): Promise<string> {
  const answer = accepted(await askKeystone(authUrl, { method: 'POST', path: '/auth/tokens', body: { auth } }));
  if (answer.token === null) throw new KeystoneError('Keystone accepted the sign-in but gave no token.');
  return answer.token;
}

/** @throws {KeystoneError} for an answer of 300 and more */
export function accepted(answer: KeystoneAnswer): KeystoneAnswer {
  if (answer.status < 300) return answer;
  const words = refusal.safeParse(answer.body).data?.error.message ?? '';
  throw new KeystoneError(`Keystone answered ${answer.status}: ${words}`);
}

/** A user who signs in at the first call, and again where the token is refused. */
export class KeystoneUser {
  readonly #authUrl: string;
  readonly #login: PasswordLogin;
  #token: Promise<string> | undefined;

  constructor(authUrl: string, login: PasswordLogin) {
    this.#authUrl = authUrl;
    this.#login = login;
  }

  /** Gives whatever Keystone answers. */
  async ask(call: Omit<KeystoneCall, 'token'>): Promise<KeystoneAnswer> {
    const pending = this.#signIn();
    const answer = await askKeystone(this.#authUrl, { ...call, token: await pending });
    if (answer.status !== 401) return answer;
    if (this.#token === pending) this.#token = undefined;
    return askKeystone(this.#authUrl, { ...call, token: await this.#signIn() });
  }

  /** Gives the body of an answer that is no refusal. @throws {KeystoneError} */
  async call(call: Omit<KeystoneCall, 'token'>): Promise<unknown> {
    return accepted(await this.ask(call)).body;
  }

  #signIn(): Promise<string> {
    if (this.#token === undefined) {
      const pending = passwordToken(this.#authUrl, this.#login);
      this.#token = pending;
      pending.catch(() => {
        if (this.#token === pending) this.#token = undefined;
      });
    }
    return this.#token;
  }
}
