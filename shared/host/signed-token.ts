import * as z from 'zod';
import { UnauthenticatedError } from './host-errors.ts';

/** RFC 7519; what the API server issues to ServiceAccounts by TokenRequest. */
const claims = z.object({ exp: z.number().optional() });

/** Milliseconds that the clock of whoever issued a token may differ from ours; the API server itself lets one minute pass. */
const clockTolerance = 300_000;

/**
 * Sorts out what no API server would accept, so that it need not be asked: text that is no signed token, and tokens that have
 * expired long ago. Whether the signature is good is left to the API server.
 * @throws UnauthenticatedError
 */
export function requireSignedToken(token: string, now: Date): void {
  const { exp } = claimsOf(token);
  if (exp !== undefined && exp * 1000 + clockTolerance < now.getTime()) {
    throw new UnauthenticatedError('The bearer token has expired.');
  }
}

function claimsOf(token: string): z.infer<typeof claims> {
  const payload = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(token)?.[1];
  if (payload === undefined) throw new UnauthenticatedError('The bearer token is no signed token.');
  try {
    return claims.parse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')));
  } catch {
    // The parser's own message quotes the token.
    throw new UnauthenticatedError('The bearer token is no signed token.');
  }
}
