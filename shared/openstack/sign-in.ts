import { shaped } from './answer-shape.ts';
import { type Auth, identityUrl, secretOf, signInBody } from './auth.ts';
import { type Authentication, tokenAnswer } from './authentication.ts';
import { AuthenticationError, NotFoundError, ProtocolError } from './errors.ts';
import { type ExchangeOptions, exchange, type JsonAnswer } from './exchange.ts';

export interface SignedIn {
  readonly token: string;
  readonly authentication: Authentication;
}

const service = 'identity';

/**
 * Gets a token, or reads what Keystone knows of the given one.
 * @throws AuthenticationError where Keystone refuses the credential.
 */
export async function signIn(auth: Auth, options: ExchangeOptions): Promise<SignedIn> {
  if (auth.kind === 'token') assertHeaderValue(auth.token);
  const { headers, body } = await ask(auth, options).catch((error) => {
    if (!isGone(error)) throw error;
    const { message, status, requestId } = error;
    throw new AuthenticationError(message, { service, status, requestId, cause: error });
  });
  const authentication = shaped(tokenAnswer, body, service);
  if (auth.kind === 'token') return { token: auth.token, authentication };
  const token = headers['x-subject-token'];
  if (typeof token === 'string') return { token, authentication };
  throw new ProtocolError('OpenStack identity accepted the credential but sent no token.', { service });
}

function ask(auth: Auth, options: ExchangeOptions): Promise<JsonAnswer> {
  const url = `${identityUrl(auth.authUrl)}/auth/tokens`;
  const secrets = [secretOf(auth)];
  const accept = 'application/json';
  if (auth.kind === 'token') {
    const headers = { accept, 'x-auth-token': auth.token, 'x-subject-token': auth.token };
    return exchange({ service, method: 'GET', url, headers, secrets }, options);
  }
  const headers = { accept, 'content-type': 'application/json' };
  const body = signInBody(auth);
  return exchange({ service, method: 'POST', url, headers, body, secrets, idempotent: true }, options);
}

/**
 * Keystone answers 404 for an application credential, or the user of a token, that is gone; callers would take it for what they
 * asked for. Another 404 is no word of Keystone's.
 */
function isGone(error: unknown): error is NotFoundError {
  return error instanceof NotFoundError && error.message.includes('Could not find');
}

function assertHeaderValue(token: string): void {
  if (/^[\x21-\x7e]+$/.test(token)) return;
  throw new AuthenticationError('The token is empty or has characters that no Keystone token has.', { service });
}
