import { once } from 'node:events';
import { createServer } from 'node:https';
import { json } from 'node:stream/consumers';
import * as z from 'zod';
import type { KeyPair } from '../cloud/workload/certificate-signer.ts';

/** Whom a token of Keystone is of. */
export interface KeystoneUser {
  readonly username: string;
  readonly projectId: string;
  readonly roles: readonly string[];
}

/** What the authenticator was asked. */
export type Review =
  | { readonly kind: 'TokenReview'; readonly token: string }
  | { readonly kind: 'SubjectAccessReview'; readonly user: string; readonly verb: string; readonly resource: string };

export interface SimulatedAuthenticator {
  readonly reviews: readonly Review[];
  close(): Promise<void>;
}

interface AuthenticatorOptions {
  readonly port: number;
  readonly certificate: KeyPair;
  readonly users: Readonly<Record<string, KeystoneUser>>;
  /** The policy: what a user of Keystone may do. */
  readonly allows: (user: string, verb: string, resource: string) => boolean;
}

const tokenReview = z.object({
  apiVersion: z.literal('authentication.k8s.io/v1beta1'),
  kind: z.literal('TokenReview'),
  spec: z.object({ token: z.string() }),
});
const accessReview = z.object({
  apiVersion: z.literal('authorization.k8s.io/v1beta1'),
  kind: z.literal('SubjectAccessReview'),
  spec: z.object({
    user: z.string(),
    resourceAttributes: z.object({ verb: z.string(), resource: z.string().default('') }).optional(),
  }),
});
const anyReview = z.discriminatedUnion('kind', [tokenReview, accessReview]);

/**
 * Stands for k8s-keystone-auth with a Keystone behind it: one address for both reviews, v1beta1 alone, 401 for a token that Keystone does
 * not know, and the keys that it gives each user (cloud-provider-openstack, pkg/identity/keystone).
 */
export async function startSimulatedAuthenticator(options: AuthenticatorOptions): Promise<SimulatedAuthenticator> {
  const reviews: Review[] = [];
  const { certificate, privateKey } = options.certificate;
  const server = createServer({ cert: certificate, key: privateKey }, async (request, response) => {
    const { code, body } = answer(await json(request), options, reviews);
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  return {
    reviews,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answer(body: unknown, { users, allows }: AuthenticatorOptions, reviews: Review[]) {
  const review = anyReview.safeParse(body).data;
  if (review === undefined) return { code: 400, body: 'unknown apiVersion or kind' };
  const { apiVersion, kind } = review;
  if (review.kind === 'TokenReview') {
    const { token } = review.spec;
    reviews.push({ kind: 'TokenReview', token });
    const user = users[token];
    if (user === undefined) return { code: 401, body: { apiVersion, kind, status: { authenticated: false } } };
    return { code: 200, body: { apiVersion, kind, status: { authenticated: true, user: userInfo(user) } } };
  }
  const { user, resourceAttributes = { verb: '', resource: '' } } = review.spec;
  reviews.push({ kind: 'SubjectAccessReview', user, ...resourceAttributes });
  const allowed = allows(user, resourceAttributes.verb, resourceAttributes.resource);
  return { code: 200, body: { apiVersion, kind, status: { allowed } } };
}

function userInfo({ username, projectId, roles }: KeystoneUser) {
  return {
    username,
    uid: `id-of-${username}`,
    groups: [projectId],
    extra: {
      'alpha.kubernetes.io/identity/roles': roles,
      'alpha.kubernetes.io/identity/project/id': [projectId],
      'alpha.kubernetes.io/identity/project/name': [`name-of-${projectId}`],
      'alpha.kubernetes.io/identity/user/domain/id': ['default'],
      'alpha.kubernetes.io/identity/user/domain/name': ['Default'],
    },
  };
}
