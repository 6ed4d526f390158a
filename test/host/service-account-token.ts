import { sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { KubernetesApi } from '../env/kubernetes-api.ts';

const serviceAccount = z.object({ metadata: z.object({ uid: z.string() }) });
const tokenRequest = z.object({ status: z.object({ token: z.string() }) });

export interface SignedToken {
  /** Name of a ServiceAccount. */
  readonly account: string;
  readonly audience: string;
  /** Seconds from now; negative for what has expired. */
  readonly expiresIn: number;
}

/**
 * A token as the API server itself would issue it, but with any time of its own: TokenRequest gives none of less than 10 minutes.
 * @param kubeconfigPath of the control plane, whose key stands beside it
 */
export async function signToken(api: KubernetesApi, kubeconfigPath: string, token: SignedToken): Promise<string> {
  const key = await readFile(join(dirname(kubeconfigPath), 'pki', 'sa.key'), 'utf8');
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${token.account}`;
  const { uid } = serviceAccount.parse(await api.call('GET', path)).metadata;
  const issuedByServer = tokenRequest.parse(await api.call('POST', `${path}/token`, { spec: {} })).status.token;
  const now = Math.floor(Date.now() / 1000);
  const issued = Math.min(now, now + token.expiresIn) - 60;
  const claims = {
    iss: 'https://kubernetes.default.svc',
    aud: [token.audience],
    sub: `system:serviceaccount:${namespace}:${token.account}`,
    iat: issued,
    nbf: issued,
    exp: now + token.expiresIn,
    'kubernetes.io': { namespace, serviceaccount: { name: token.account, uid } },
  };
  // Its head names the key.
  const signed = `${issuedByServer.split('.')[0]}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  // ES256 (RFC 7518 §3.4): two numbers one after the other.
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}
