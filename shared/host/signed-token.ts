import { UnauthenticatedError } from './host-errors.ts';

/** Milliseconds that the clock of whoever issued a token may differ from ours; the API server itself lets one minute pass. */
const clockTolerance = 300_000;

/**
 * Sorts out what no API server would accept, so that it need not be asked: text that is no signed token, and tokens that have
 * expired long ago. Whether the signature is good is left to the API server.
 * @throws UnauthenticatedError
 */
export function requireSignedToken(token: string, now: Date): void {
  const expiry = expiryOf(token);
  if (expiry !== undefined && expiry * 1000 + clockTolerance < now.getTime()) {
    throw new UnauthenticatedError('The bearer token has expired.');
  }
}

/**
 * Seconds since 1970; undefined for a token that does not expire (RFC 7519 §4.1.4). Read without a schema library, which whoever embeds the
 * host would get with it.
 */
function expiryOf(token: string): number | undefined {
  const payload = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(token)?.[1];
  const claims: unknown = payload === undefined ? undefined : jsonOf(payload);
  if (typeof claims === 'object' && claims !== null && !Array.isArray(claims)) {
    if (!('exp' in claims)) return undefined;
    if (typeof claims.exp === 'number') return claims.exp;
  }
  throw new UnauthenticatedError('The bearer token is no signed token.');
}

/** Undefined where it is no JSON: the parser's own message would quote the token. */
function jsonOf(payload: string): unknown {
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
