/** A token of the form that the API server issues, which says whose it is; its signature is none. */
export function madeUpToken(owner: string, claims: object = {}): string {
  const parts = [{ alg: 'RS256' }, { sub: owner, ...claims }];
  const encoded = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  return [...encoded, 'c2lnbmF0dXJl'].join('.');
}
